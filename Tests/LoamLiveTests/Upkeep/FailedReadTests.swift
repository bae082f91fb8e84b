import Dispatch
import LoamLive
import LoamQuery
import SeededRandom
import Testing

@testable import LoamStorage

/// A result whose store cannot be read for a while says so, and is right again as soon as the store can be read,
/// however often that happens.
@Suite struct FailedReadTests {
    private func deliveries(_ live: LiveResult) -> LiveResult.Delivery? {
        live.refresh()
        live.settle()
        return live.take()
    }

    @Test func aFailureIsToldAndTakenBackWhereNothingWasSaved() throws {
        let sample = try LiveSample()
        let live = try LiveResult(LiveSample.queries[1], in: sample.store) { _ in }
        live.start()
        for _ in 0..<3 {
            try sample.withoutReaderSlots {
                for _ in 0..<2 {
                    let delivery = deliveries(live)
                    #expect(delivery?.error != nil && delivery?.update == nil)
                }
            }
            // The error that was told is taken back, once.
            let delivery = try #require(deliveries(live))
            #expect(delivery.error == nil && delivery.update == nil)
            #expect(deliveries(live) == nil)
        }
    }

    @Test func aFailureThatNobodyHeardOfIsNotTakenBack() throws {
        let sample = try LiveSample()
        let live = try LiveResult(LiveSample.queries[1], in: sample.store) { _ in }
        live.start()
        try sample.withoutReaderSlots {
            live.refresh()
            live.settle()
        }
        #expect(deliveries(live) == nil)
    }

    @Test(arguments: [true, false]) func savesThatCouldNotBeFollowedAreMadeGoodFor(isInMemory: Bool) throws {
        let sample = try LiveSample(isInMemory: isInMemory)
        let query = LiveSample.queries[1]
        let live = try LiveResult(query, in: sample.store) { _ in }
        var rows = SectionedRows(live.start())
        var random = SeededGenerator(seed: 11)
        for round in 0..<4 {
            let batches = try (0..<3).map { _ in try sample.makeChanges(&random) }
            try sample.withoutReaderSlots {
                for batch in batches.dropLast() {
                    try sample.saveElsewhere(batch)
                    live.settle()
                    #expect(live.take()?.error != nil)
                }
            }
            // The result recovers at the next save, when it is asked to refresh, or while it is waited for.
            switch round % 3 {
            case 0: try sample.store.save(batches[2])
            case 1: live.refresh()
            default: break
            }
            live.settle()
            let delivery = try #require(live.take())
            #expect(delivery.error == nil)
            if let update = delivery.update {
                let change = update.change()
                if case .difference(let difference) = change { rows = rows.applying(difference) }
                if change == .reset { rows = SectionedRows(update.new) }
            }
            #expect(rows == (try sample.fresh(query)), "round \(round)")
        }
    }
}

extension LiveSample {
    /// Calls the closure when the process has as many reads of the store open as there can be.
    func withoutReaderSlots(_ body: () throws -> Void) throws {
        var isReading = false
        do {
            try store.read { _ in
                isReading = true
                try withoutReaderSlots(body)
            }
        } catch {
            guard !isReading else { throw error }
            try body()
        }
    }

    /// Saves on a thread that reads nothing meanwhile.
    fileprivate func saveElsewhere(_ batch: WriteBatch) throws {
        let done = DispatchSemaphore(value: 0)
        let outcome = Outcome()
        DispatchQueue.global().async { [store] in
            outcome.error = Result { try store.save(batch) }.failure
            done.signal()
        }
        done.wait()
        if let error = outcome.error { throw error }
    }

    /// One thread writes the outcome before the other one reads it.
    private final class Outcome: @unchecked Sendable {
        var error: (any Error)?
    }

    func makeChanges(_ random: inout SeededGenerator) throws -> WriteBatch {
        var batch = WriteBatch(policy: .storeWins)
        for rowID in try rowIDs().shuffled(using: &random).prefix(4) {
            let size = Int64.random(in: 0..<10, using: &random)
            batch.update(rowID, of: entity.id, base: nil, changes: [entity.properties[2].id: .int(size)])
        }
        return batch
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
