package import LoamQuery
package import LoamStorage

/// Holds what plans give against what SQLite answers.
package struct SQLiteCheck {
    private let snapshot: Snapshot
    private let overlay: Overlay?
    private let rows: SQLiteRows

    /// - Parameters:
    ///   - rows: those that the snapshot has with the overlay's changes.
    ///   - overlay: changes that are not saved.
    package init(_ rows: SQLiteRows, in snapshot: Snapshot, overlay: Overlay? = nil) {
        (self.rows, self.snapshot, self.overlay) = (rows, snapshot, overlay)
    }

    package struct Outcome {
        /// Whether SQL says the query alike, so that SQLite was asked.
        package var isAsked = false
        package var isEmpty = true
        /// What a plan gives that SQLite does not, in words.
        package var difference: String?
    }

    /// Asks the plan that a context takes, and one of the others.
    ///
    /// - Parameter number: which of the others.
    /// - Throws: what SQLite says, and ``QueryError`` for a query that cannot be run.
    package func ask(_ query: Query, number: UInt64) throws -> Outcome {
        guard let expected = try rows.answer(query) else { return Outcome() }
        let entity = try snapshot.entity(named: query.entity)
        let all = try Planner.plans(ResolvedQuery(query, in: entity, schema: snapshot.schema), statistics: snapshot)
        let plans = [try Planner.plan(query, in: snapshot), all[Int(number % UInt64(all.count))]]
        var outcome = Outcome(isAsked: true, isEmpty: expected.isEmpty || expected == [[.integer(0)]])
        for plan in plans where outcome.difference == nil {
            do {
                let found = try answer(plan)
                guard found != expected else { continue }
                outcome.difference =
                    "\(plan.explanation())\n\(try rows.text(of: query))\ngives \(found.prefix(30))\n"
                    + "but should give \(expected.prefix(30))"
            } catch {
                outcome.difference = "\(plan.explanation())\nthrows \(error)"
            }
        }
        return outcome
    }

    /// What a plan gives, as SQLite would.
    private func answer(_ plan: Plan) throws -> [[SQLiteValue]] {
        var (rows, work): ([[SQLiteValue]], Work) = ([], Work())
        switch plan.query.result {
        case .rows:
            try plan.execute(in: snapshot, overlay: overlay, work: &work) { rowID, _, _ in
                rows.append([.integer(Int64(rowID))])
                return true
            }
        case .count: rows.append([.integer(Int64(try plan.count(in: snapshot, overlay: overlay, work: &work)))])
        case .sections:
            for (value, count) in try plan.sections(in: snapshot, overlay: overlay, work: &work) {
                rows.append([SQLiteValue(value) ?? .null, .integer(Int64(count))])
            }
        }
        return rows
    }
}
