import Foundation
import LoamStorage

/// What a store and its process look like from outside, each second, and the bounds that they are held to.
struct SoakSamples {
    private struct Sample {
        let seconds: Double
        let memory: Int
        let fileBytes: Int
        /// Bytes of the pages that hold data or history.
        let heldBytes: Int
        let transaction: Int
        /// The rows that this process has saved.
        let rows: Int
        /// The oldest snapshot of this process: the transactions and the saved rows since.
        let age: (transactions: Int, rows: Int)

        /// Whether more was committed since than may be, by the commits or by the pages that they write: about four for
        /// a commit and for each row.
        var isTooOld: Bool {
            age.transactions > SoakSamples.mostPeriods * ChangeReader.remindedCommits
                || (age.transactions + age.rows) << 14
                    > SoakSamples.mostPeriods * ChangeReader.remindedBytes(inFileOf: fileBytes)
                    + SoakSamples.latenessAllowance
        }
    }

    /// Memory is flat where it has not grown by more than this factor, and these bytes on top.
    static let mostGrowth = 1.25
    static let growthAllowance = 4 << 20
    /// The most that the file may be of live data and history that is kept.
    static let mostFileRatio = 1.5
    /// The periods that a snapshot may be held for. It is let go when the period behind the next one begins; the third
    /// is for transactions that save nothing.
    static let mostPeriods = 3
    /// The bytes of pages that may be written meanwhile, until the engine comes to its reminder: those of some seconds.
    static let latenessAllowance = 16 << 20

    private let seconds: Double
    private var samples: [Sample] = []

    /// - Parameter seconds: how long the run takes. Its first fifth warms it up.
    init(seconds: Double) { self.seconds = seconds }

    /// Takes a sample.
    ///
    /// - Parameters:
    ///   - elapsed: the seconds since the run began.
    ///   - rows: the rows that this process has saved by now.
    mutating func add(_ store: Store, elapsed: Double, rows: Int) throws {
        let info = try store.info()
        let own = info.readers.filter { $0.process == Int(getpid()) }.compactMap(\.transaction)
        let oldest = own.min() ?? info.lastTransaction
        // The first sample at or behind the snapshot: rows that were saved between the two are not counted.
        let saved = samples.first { $0.transaction >= oldest }?.rows ?? rows
        samples.append(
            Sample(
                seconds: elapsed, memory: try ProcessUse.ownMemory(), fileBytes: info.fileBytes,
                heldBytes: info.databases.reduce(0) { $0 + $1.bytes }, transaction: info.lastTransaction, rows: rows,
                age: (max(0, info.lastTransaction - oldest), rows - saved)))
    }

    // MARK: Judging

    var faults: [String] {
        var faults: [String] = []
        let (first, last) = memory
        if first == 0 || last == 0 { faults.append("there are too few samples to tell whether memory is flat") }
        if first > 0, Double(last) > Double(first) * Self.mostGrowth + Double(Self.growthAllowance) {
            faults.append("memory grew from \(Self.text(first)) to \(Self.text(last))")
        }
        if fileRatio > Self.mostFileRatio {
            faults.append(String(format: "the file was %.2f times its data and history", fileRatio))
        }
        for sample in samples where sample.isTooOld {
            faults.append(
                "a snapshot was held for \(sample.age.transactions) transactions and \(sample.age.rows) rows, in a file of "
                    + Self.text(sample.fileBytes))
        }
        return faults
    }

    var text: String {
        let (first, last) = memory
        let highest = samples.map(\.memory).max() ?? 0
        let end = samples.last.map { "\(Self.text($0.fileBytes)) for \(Self.text($0.heldBytes)) at the end" } ?? ""
        return "memory \(Self.text(first)) at first, \(Self.text(last)) at last, \(Self.text(highest)) at most; "
            + String(format: "file at most %.2f times its data and history, ", fileRatio) + end
            + "; oldest snapshot \(oldest.transactions) transactions and \(oldest.rows) rows"
    }

    /// The medians of the first fifth of the run after it was warm, and of the last.
    private var memory: (first: Int, last: Int) {
        func median(_ range: Range<Double>) -> Int {
            let sorted = samples.filter { range.contains($0.seconds) }.map(\.memory).sorted()
            return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        }
        return (median(seconds / 5..<seconds * 2 / 5), median(seconds * 4 / 5..<Double.infinity))
    }

    private var fileRatio: Double {
        samples.filter { $0.seconds >= seconds / 5 }
            .map { Double($0.fileBytes) / Double(max($0.heldBytes, 1)) }.max() ?? 0
    }

    private var oldest: (transactions: Int, rows: Int) {
        (samples.map(\.age.transactions).max() ?? 0, samples.map(\.age.rows).max() ?? 0)
    }

    private static func text(_ bytes: Int) -> String { String(format: "%.1f MiB", Double(bytes) / 1_048_576) }
}
