import LoamQuery
import LoamStorage

extension SQLiteRows {
    /// What SQLite answers: row ids, a count, or sections' values with their sizes; nil where SQL does not say alike, or not
    /// as deeply.
    ///
    /// - Throws: what SQLite says.
    func answer(_ query: Query) throws -> [[SQLiteValue]]? {
        do {
            return try oracle.values(text(of: query))
        } catch is NotInSQL {
            return nil
        } catch let failure as SQLiteOracle.Failure where failure.isTooDeep {
            return nil
        }
    }

    /// The query in SQL.
    func text(of query: Query) throws -> String {
        guard let entity = schema.entity(named: query.entity) else { throw NotInSQL() }
        let sql = SQLText(schema: schema, leftOut: leftOut)
        let scope = SQLScope(entity)
        let condition = try query.predicate.map { try sql.predicate($0, scope) } ?? "1"
        let source = "\(entity.sqlTable) \(scope.alias) WHERE \(condition)"
        if query.result == .sections {
            guard let section = query.section else { throw NotInSQL() }
            let key = query.sort.first { $0.path == section }
            guard key?.form ?? .exact == .exact else { throw NotInSQL() }
            let value = try sql.expression(.keyPath(Self.names(section)), scope)
            return "SELECT \(value) AS v, count(*) FROM \(source) GROUP BY v ORDER BY v \(key?.direction.sql ?? "ASC")"
        }
        let rows = "SELECT \(scope.alias).row FROM \(source) ORDER BY \(try order(query, sql, scope))"
        let page = "\(rows) LIMIT \(query.limit ?? -1) OFFSET \(query.offset)"
        return query.result == .count ? "SELECT count(*) FROM (\(page))" : page
    }

    private func order(_ query: Query, _ sql: SQLText, _ scope: SQLScope) throws -> String {
        var keys = query.sort
        if let section = query.section {
            let key = keys.first { $0.path == section }
            keys.insert(SortKey(section, direction: key?.direction ?? .ascending, form: key?.form ?? .exact), at: 0)
        }
        var terms: [String] = []
        for key in keys {
            let value = try sql.expression(.keyPath(Self.names(key.path)), scope)
            switch key.form {
            case .exact: terms.append("\(value) \(key.direction.sql)")
            case .caseFolded: terms.append("lower(\(value)) \(key.direction.sql)")
            default: throw NotInSQL()
            }
        }
        terms.append("\(scope.alias).row \((query.sort.last?.direction ?? .ascending).sql)")
        return terms.joined(separator: ", ")
    }

    private static func names(_ path: String) -> [String] { path.split(separator: ".").map(String.init) }
}

extension SortDirection {
    fileprivate var sql: String { self == .ascending ? "ASC" : "DESC" }
}
