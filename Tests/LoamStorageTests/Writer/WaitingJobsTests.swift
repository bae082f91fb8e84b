import Dispatch
import Synchronization
import Testing

@testable import LoamStorage

struct WaitingJobsTests {
    private let waiting = WaitingJobs()

    private func isSame(_ group: [WriterJob], _ jobs: ArraySlice<WriterJob>) -> Bool {
        group.count == jobs.count && zip(group, jobs).allSatisfy { $0 === $1 }
    }

    private func job(isExclusive: Bool = false) -> WriterJob { WriterJob(isExclusive: isExclusive) { _, _ in } }

    @Test func jobsThatWaitMakeAGroupInTheirOrder() {
        let jobs = (0..<300).map { _ in job() }
        for job in jobs { _ = waiting.append(job) }
        #expect(isSame(waiting.takeGroup(), jobs[..<256]))
        #expect(isSame(waiting.takeGroup(), jobs[256...]))
        #expect(waiting.takeGroup().isEmpty)
    }

    @Test func whoAddsAJobWhileNobodyRunsThemHasTo() {
        let jobs = [job(), job(), job()]
        #expect(waiting.append(jobs[0]))
        #expect(!waiting.append(jobs[1]))
        #expect(isSame(waiting.takeGroup(), jobs[..<2]))
        #expect(!waiting.append(jobs[2]))
        // The one that waits goes on, and then nobody does.
        #expect(waiting.successor() === jobs[2])
        #expect(isSame(waiting.takeGroup(), jobs[2...]))
        #expect(waiting.successor() == nil)
        #expect(waiting.append(jobs[0]))
    }

    @Test func aThreadThatBlocksForAJobIsToldToRunWhatWaitsOrThatItIsDone() {
        let (first, second, third) = (job(), job(), job())
        for job in [first, second] { job.willBlock() }
        // Before the threads block.
        #expect(first.lead() && first.blockForTurn())
        second.finish(.success(()))
        #expect(!second.blockForTurn())
        // Nobody blocks for it.
        #expect(!third.lead())
        // While they block.
        for isDone in [false, true] {
            let job = job()
            job.willBlock()
            let (isAsked, answer) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let leads = Atomic(false)
            DispatchQueue.global().async {
                isAsked.signal()
                leads.store(job.blockForTurn(), ordering: .relaxed)
                answer.signal()
            }
            isAsked.wait()
            if isDone { job.finish(.success(())) } else { #expect(job.lead()) }
            answer.wait()
            #expect(leads.load(ordering: .relaxed) == !isDone)
        }
    }

    @Test func anExclusiveJobIsAloneInItsGroup() {
        let jobs = [job(), job(isExclusive: true), job()]
        for job in jobs { _ = waiting.append(job) }
        for job in jobs { #expect(isSame(waiting.takeGroup(), [job])) }
    }

    @Test func theLastGroupsSaversAreWaitedFor() {
        // The machine decides whether the jobs come in time. None may be lost or taken twice.
        for _ in 0..<50 {
            waiting.noteCommit(of: 8, begun: .now - .seconds(1))
            let jobs = (0..<8).map { _ in job() }
            DispatchQueue.global().async { for job in jobs { _ = waiting.append(job) } }
            var taken: [WriterJob] = []
            while taken.count < jobs.count { taken += waiting.takeGroup() }
            #expect(isSame(taken, jobs[...]))
        }
    }

    @Test func aGroupThatDoesNotComeBackIsNotWaitedForLong() {
        for _ in 0..<5 {
            waiting.noteCommit(of: 8, begun: .now - .milliseconds(1))
            let job = job()
            _ = waiting.append(job)
            #expect(isSame(waiting.takeGroup(), [job]))
        }
    }
}
