import Dispatch
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
        for job in jobs { waiting.append(job) }
        #expect(isSame(waiting.takeGroup(), jobs[..<256]))
        #expect(isSame(waiting.takeGroup(), jobs[256...]))
        #expect(waiting.takeGroup().isEmpty)
    }

    @Test func anExclusiveJobIsAloneInItsGroup() {
        let jobs = [job(), job(isExclusive: true), job()]
        for job in jobs { waiting.append(job) }
        for job in jobs { #expect(isSame(waiting.takeGroup(), [job])) }
    }

    @Test func theLastGroupsSaversAreWaitedFor() {
        // The machine decides whether the jobs come in time. None may be lost or taken twice.
        for _ in 0..<50 {
            waiting.noteCommit(of: 8, begun: .now - .seconds(1))
            let jobs = (0..<8).map { _ in job() }
            DispatchQueue.global().async { for job in jobs { waiting.append(job) } }
            var taken: [WriterJob] = []
            while taken.count < jobs.count { taken += waiting.takeGroup() }
            #expect(isSame(taken, jobs[...]))
        }
    }

    @Test func aGroupThatDoesNotComeBackIsNotWaitedForLong() {
        for _ in 0..<5 {
            waiting.noteCommit(of: 8, begun: .now - .milliseconds(1))
            let job = job()
            waiting.append(job)
            #expect(isSame(waiting.takeGroup(), [job]))
        }
    }
}
