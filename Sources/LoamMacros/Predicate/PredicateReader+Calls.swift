import SwiftSyntax

/// How methods and closures in a predicate are read.
extension PredicateReader {
    /// A method that a predicate may call.
    private struct Method {
        var name: String
        var label: String?
        var arguments: Int
        var takesClosure = false
    }

    private static let methods = [
        Method(name: "contains", arguments: 1),
        Method(name: "contains", label: "where", arguments: 1, takesClosure: true),
        Method(name: "allSatisfy", arguments: 1, takesClosure: true),
        Method(name: "filter", arguments: 1, takesClosure: true),
        Method(name: "flatMap", arguments: 1, takesClosure: true),
        Method(name: "starts", label: "with", arguments: 1),
        Method(name: "startOfDay", label: "for", arguments: 1),
        Method(name: "min", arguments: 0),
        Method(name: "max", arguments: 0),
        Method(name: "lowercased", arguments: 0),
        Method(name: "uppercased", arguments: 0),
        Method(name: "localizedStandardContains", arguments: 1),
        Method(name: "localizedStandardStarts", label: "with", arguments: 1),
    ]

    /// Methods that say what a supported one says.
    private static let replacements = ["localizedCaseInsensitiveContains": "localizedStandardContains"]

    mutating func call(_ call: FunctionCallExprSyntax) throws -> PredicateNode {
        guard let member = call.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base else {
            throw PredicateDiagnostic.function(call.calledExpression.trimmedDescription).error(at: call, in: form)
        }
        let name = member.declName.baseName.text
        let closure = call.trailingClosure
        if name == "evaluate", closure == nil, !call.arguments.isEmpty,
            call.arguments.allSatisfy({ $0.label == nil })
        {
            return .build(name, try ([base] + call.arguments.map(\.expression)).map { .init(nil, .node(try node($0))) })
        }
        if let part = try partOfDate(call, name: name, calendar: base) { return part }
        if name == "hasPrefix", closure == nil, let prefix = call.arguments.first, call.arguments.count == 1,
            prefix.label == nil
        {
            let (text, start) = (try node(base), try node(prefix.expression))
            return .build("starts", [.init(nil, .node(text)), .init("with", .node(start))])
        }
        guard call.additionalTrailingClosures.isEmpty, call.arguments.count + (closure == nil ? 0 : 1) <= 1 else {
            throw PredicateDiagnostic.function(name).error(at: member.declName, in: form)
        }
        let argument = call.arguments.first
        guard
            let method = Self.methods.first(where: {
                $0.name == name && $0.arguments == (closure == nil ? call.arguments.count : 1)
                    && (closure == nil ? $0.label == argument?.label?.text : $0.takesClosure)
            })
        else { throw unknownMethod(call, name: name, at: member) }
        let receiver = PredicateNode.Argument(nil, .node(try node(base)))
        guard method.arguments == 1 else { return .build(name, [receiver]) }
        if method.takesClosure {
            let test = try self.closure(closure, or: argument?.expression, in: call)
            return .build(name, [receiver, .init(method.label, test)])
        }
        guard let argument else { throw unknownMethod(call, name: name, at: member) }
        return .build(name, [receiver, .init(method.label, .node(try node(argument.expression)))])
    }

    /// A calendar's `component(.year, from: date)`: the other components are refused.
    private mutating func partOfDate(
        _ call: FunctionCallExprSyntax, name: String, calendar: ExprSyntax
    ) throws -> PredicateNode? {
        guard name == "component", call.trailingClosure == nil, call.arguments.count == 2,
            let part = call.arguments.first, part.label == nil, let date = call.arguments.last,
            date.label?.text == "from"
        else { return nil }
        guard let component = part.expression.as(MemberAccessExprSyntax.self),
            ["year", "month", "day"].contains(component.declName.baseName.text)
        else { throw PredicateDiagnostic.expression.error(at: part.expression, in: form) }
        return .build(
            name,
            [
                .init(nil, .node(try node(calendar))), .init(nil, .code("." + component.declName.baseName.text)),
                .init("from", .node(try node(date.expression))),
            ])
    }

    /// A closure, or a key path that stands for one.
    private mutating func closure(
        _ trailing: ClosureExprSyntax?, or argument: ExprSyntax?, in call: FunctionCallExprSyntax
    ) throws -> PredicateNode.Value {
        if let closure = trailing ?? argument?.as(ClosureExprSyntax.self) {
            let (row, body) = try self.closure(closure)
            return .closure(row: row, body)
        }
        guard let keyPath = argument?.as(KeyPathExprSyntax.self) else {
            throw PredicateDiagnostic.closureExpected.error(at: argument.map(Syntax.init) ?? Syntax(call), in: form)
        }
        let row = names.next()
        var body = PredicateNode.row(row)
        for component in keyPath.components {
            guard case .property(let property) = component.component else { throw unsupported(keyPath) }
            body = .keyPath(root: body, property: property.declName.baseName.text)
        }
        return .closure(row: row, body)
    }

    private func unknownMethod(
        _ call: FunctionCallExprSyntax, name: String, at member: MemberAccessExprSyntax
    ) -> any Error {
        guard let replacement = Self.replacements[name], let argument = call.arguments.first,
            call.arguments.count == 1, call.trailingClosure == nil
        else { return PredicateDiagnostic.function(name).error(at: member.declName, in: form) }
        var changed = call
        changed.calledExpression = ExprSyntax(
            member.with(\.declName, DeclReferenceExprSyntax(baseName: .identifier(replacement))))
        changed.arguments = [LabeledExprSyntax(expression: argument.expression.trimmed)]
        return PredicateDiagnostic.function(name).error(
            at: member.declName, in: form, replacing: call, with: changed, fixIt: "Use '\(replacement)(_:)'")
    }

    /// The name of the only parameter: `$0` where it has none; nil for an underscore.
    func parameter(of closure: ClosureExprSyntax) throws -> String? {
        let names = closure.parameterNames
        guard names.count <= 1 else { throw PredicateDiagnostic.parameters.error(at: closure, in: form) }
        guard let name = names.first else { return "$0" }
        return name == "_" ? nil : name
    }

    /// The names of a closure's parameters, of which there may be several: `$0` and those after it where they have
    /// none; nil for an underscore.
    func parameters(of closure: ClosureExprSyntax) -> [String?] {
        let names = closure.parameterNames
        guard names.isEmpty else { return names.map { $0 == "_" ? nil : $0 } }
        return (0..<max(1, ShorthandParameters.count(in: closure))).map { "$\($0)" }
    }
}
