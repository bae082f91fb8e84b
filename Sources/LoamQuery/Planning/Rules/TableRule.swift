import LoamStorage

/// The table itself, in the order of row ids: what always works.
enum TableRule: PlanRule {
    static func candidates(_ context: PlanContext) -> [Candidate] {
        [Candidate(accessPath: .table(from: .min, through: .max), rows: context.rowCount)]
    }
}
