import SQLiteOracle
import Testing

/// Random queries answer as SQLite answers them, with changes that are not saved too. `campaigns sqlite` does the same
/// for longer.
@Suite struct RandomSQLiteTests {
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func plansAnswerAsSQLiteDoes(seed: UInt64) throws {
        var reports: [String] = []
        let counts = try SQLiteRound(seed: seed).run(cases: 200) { reports.append($0) }
        #expect(reports == [])
        #expect(counts.found > counts.cases / 4)
        #expect(counts.pending > counts.cases / 4)
    }
}
