import LoamQuery
import LoamStorage

/// Orders, sections and columns that are functions, and orders in localized forms.
extension RandomQuery {
    /// Puts functions in the place of key paths, or the order of an index over functions in the place of the order.
    mutating func addFunctions(to query: inout Query) {
        let indexes = entity.indexes.filter { $0.components.contains { $0.function != nil } }
        if chance(0.12), let index = indexes.randomElement(using: &generator) {
            let reversed = chance(0.5)
            query.sort = index.components.dropFirst(chance(0.3) ? 1 : 0).map { component in
                SortKey(
                    Self.written(component.definition),
                    direction: reversed ? component.direction.reversed : component.direction, form: component.form)
            }
        }
        for index in query.sort.indices where chance(0.15) {
            guard let (path, type) = function(of: query.sort[index].path) else { continue }
            query.sort[index].path = path
            if type != .string { query.sort[index].form = .exact }
        }
        if chance(0.1), let (path, type) = function() {
            let form = type == .string && chance(0.5) ? pick(Self.forms) : .exact
            query.sort.append(SortKey(path, direction: chance(0.5) ? .ascending : .descending, form: form))
        }
        if query.section != nil, chance(0.3), let (path, _) = function() { query.section = path }
        if chance(0.1), let (path, _) = function() { query.columns?.append(path) }
    }

    /// Every form in which strings are ordered.
    static let forms: [StringForm] =
        [.caseFolded, .diacriticFolded, .caseAndDiacriticFolded, .localizedStandard]
        + [
            Collation.Rules(isNumeric: false), Collation.Rules(locale: "sv"),
            Collation.Rules(locale: "de@collation=phonebook", ignoresCase: true),
        ]
        .compactMap { Collation($0).map(StringForm.localized) }

    /// A function of some property, with the type of its results.
    private mutating func function() -> (path: String, type: ValueType)? {
        function(of: chance(0.1) ? "tags" : pick(orderedPaths).name)
    }

    private mutating func function(of path: String) -> (path: String, type: ValueType)? {
        let zones = ["UTC", "GMT", "Europe/Berlin", "Pacific/Apia", "America/St_Johns"]
        let type = path == "tags" ? nil : orderedPaths.first { $0.name == path }?.type
        let (function, zone, result): (Function, String?, ValueType) =
            switch type {
            case nil where path == "tags": (pick([.first, .last]), nil, .string)
            case .string:
                pick([
                    (.length, nil, .int64), (.length, nil, .int64), (.lowercase, nil, .string),
                    (.uppercase, nil, .string), (.noIndex, nil, .string),
                ])
            case .date:
                pick([
                    (.startOfDay, pick(zones), .date), (.startOfMonth, pick(zones), .date),
                    (.year, pick(zones), .int64), (.month, pick(zones), .int64), (.day, pick(zones), .int64),
                ])
            case .some(let type) where type.isNumeric:
                pick([
                    (.negate, nil, type), (.absolute, nil, type), (.floor, nil, type), (.round, nil, type),
                    (.toString, nil, .string), (.squareRoot, nil, .double), (.toInteger, nil, .int64),
                ])
            default: (.noIndex, nil, type ?? .bool)
            }
        guard type != nil || path == "tags" else { return nil }
        return (Self.written(.init(path, function: function, timeZone: zone)), result)
    }

    /// A component of an index as a sort key is written.
    private static func written(_ component: IndexDefinition.Component) -> String {
        guard let function = component.function else { return component.keyPath }
        let path = QueryExpression.keyPath(component.names).description
        return "\(function)(\(path)" + (function.timeZone.map { ", '\($0)'" } ?? "") + ")"
    }
}
