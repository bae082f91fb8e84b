import LoamStorage
import Testing
import campaigns

/// A sample of the damage that `campaigns damage` does byte by byte.
@Suite struct DamageTests {
    @Test func theCheckReportsDamageInEveryDatabase() throws {
        let temporary = try TemporaryStore()
        let outcome = try DamageCampaign(path: temporary.path, seed: 7, stride: 251, steps: 2).run()
        #expect(outcome.misses == [])
        let databases = Set(outcome.damages.keys)
        #expect(databases.isSuperset(of: ["catalog", "counters", "history", "indexes", "r.1", "r.2", "statistics"]))
    }
}
