import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// What `@Model` refuses of one `var` or `let` in the class.
struct PropertyChecks {
    let variable: VariableDeclSyntax

    func run(in context: some MacroExpansionContext) {
        guard variable.isStoredInInstance else { return }
        if variable.attribute("Transient") != nil { return checkTransient(in: context) }
        if checkPlacement(in: context) { return }
        for binding in variable.bindings { check(binding, in: context) }
        if variable.isEphemeral { checkTransient(in: context) }
    }

    private var name: String { variable.bindings.first?.pattern.trimmedDescription ?? "" }

    /// Whether something about the whole declaration keeps it from being a persisted property.
    private func checkPlacement(in context: some MacroExpansionContext) -> Bool {
        let transient = FixIt.addTransient(to: variable)
        if variable.bindingSpecifier.tokenKind == .keyword(.let) {
            context.diagnose(
                .constantProperty(name), at: variable.bindingSpecifier,
                fixIts: [.replace(variable.bindingSpecifier, by: "var"), transient])
        }
        for keyword in [Keyword.lazy, .weak, .unowned] {
            guard let modifier = variable.modifier(keyword) else { continue }
            context.diagnose(.modifier(modifier.name.text, name: name), at: modifier, fixIts: [transient])
            return true
        }
        if let wrapper = variable.wrappers.first {
            context.diagnose(.wrapper(wrapper.baseName, name: name), at: wrapper, fixIts: [transient])
            return true
        }
        if let attribute = variable.attribute("MainActor") {
            context.diagnose(
                .isolatedProperty(name), at: attribute, fixIts: [.remove(attribute, from: variable), transient])
            return true
        }
        if variable.bindings.count > 1 {
            context.diagnose(.severalBindings(), at: variable.bindings)
            return true
        }
        return false
    }

    private func check(_ binding: PatternBindingSyntax, in context: some MacroExpansionContext) {
        guard let property = DeclaredProperty(binding, of: variable) else {
            return context.diagnose(.pattern(), at: binding.pattern)
        }
        if Self.reservedNames.contains(property.name) {
            context.diagnose(.reservedName(property.name), at: binding.pattern)
        }
        if let observer = binding.observers.first {
            let bare = binding.with(\.accessorBlock, nil)
            context.diagnose(
                .observers(property.name), at: observer,
                fixIts: [
                    .replace("removeObservers", message: "remove the observers", old: binding, by: bare),
                    .addTransient(to: variable),
                ])
        }
        checkType(of: property, in: binding, in: context)
    }

    private func checkType(
        of property: DeclaredProperty, in binding: PatternBindingSyntax, in context: some MacroExpansionContext
    ) {
        switch (property.type, property.defaultValue) {
        case (nil, nil):
            context.diagnose(.missingType(property.name), at: binding.pattern)
        case (nil, let value?) where value.is(NilLiteralExprSyntax.self):
            context.diagnose(.nilWithoutType(property.name), at: value)
        case (let type?, _) where !type.isStorable:
            context.diagnose(
                .unsupportedType(property.name, type: type.trimmedDescription),
                at: binding.typeAnnotation?.type ?? type,
                fixIts: [.addTransient(to: variable)])
        default: break
        }
    }

    /// A transient property is left as it is, and an ephemeral one is kept in memory only, but an object from the store
    /// has to have a value for it.
    private func checkTransient(in context: some MacroExpansionContext) {
        guard !variable.modifiers.contains(where: { $0.name.tokenKind == .keyword(.lazy) }) else { return }
        for binding in variable.bindings where binding.isStored && binding.initializer == nil {
            if variable.bindingSpecifier.tokenKind == .keyword(.var), binding.typeAnnotation?.type.isOptional == true {
                continue
            }
            guard !variable.mayBeWrapped else { continue }
            let (name, mark) = (binding.pattern.trimmedDescription, variable.isEphemeral ? ".ephemeral" : "@Transient")
            context.diagnose(.transientWithoutValue(name, mark: mark), at: binding.pattern)
        }
    }

    /// What every model has. `id`, `isDeleted` and `hasChanges` are not among them: a property of the application's own
    /// takes their place, as in SwiftData.
    private static let reservedNames: Set<String> = [
        "hashValue", "modelContext", "persistentModelID", "schemaMetadata", "self",
    ]
}

extension VariableDeclSyntax {
    /// Attributes that are known to be property wrappers, or macros that make accessors. An attribute does not say what
    /// it is: any other may be a macro that adds declarations beside the property, which is welcome, and of a wrapper
    /// among them the compiler says that it cannot be applied to a computed property.
    var wrappers: [AttributeSyntax] {
        attributes.compactMap { $0.as(AttributeSyntax.self) }.filter { attribute in
            Self.knownWrappers.contains(attribute.baseName)
                || attribute.argumentList?.contains { $0.label?.text == "wrappedValue" } ?? false
        }
    }

    /// Whether some attribute can be a wrapper, which can have a value of its own: capitalised, and none of the marks.
    var mayBeWrapped: Bool {
        attributes.contains { element in
            guard let name = element.as(AttributeSyntax.self)?.baseName else { return false }
            return name.first?.isUppercase == true && !Self.marks.contains(name)
        }
    }

    private static let marks: Set<String> = ["Attribute", "MainActor", "Relationship", "Transient"]

    /// Property wrappers of SwiftUI, Combine, Observation, SwiftData and Core Data.
    private static let knownWrappers: Set<String> = [
        "AccessibilityFocusState", "AppStorage", "Bindable", "Binding", "Environment", "EnvironmentObject",
        "FetchRequest", "FocusState", "FocusedBinding", "FocusedObject", "FocusedValue", "GestureState", "Namespace",
        "ObservationIgnored", "ObservationTracked", "ObservedObject", "Published", "Query", "ScaledMetric",
        "SceneStorage", "SectionedFetchRequest", "State",
        "StateObject",
    ]
}

extension TypeSyntax {
    /// Whether values of a type that is written so can be `Codable` or a model: no tuples, functions and existentials.
    var isStorable: Bool {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.isStorable }
        if let tuple = self.as(TupleTypeSyntax.self) {
            guard tuple.elements.count == 1, let only = tuple.elements.first else { return false }
            return only.type.isStorable
        }
        if let array = self.as(ArrayTypeSyntax.self) { return array.element.isStorable }
        if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.isStorable }
        return !self.is(FunctionTypeSyntax.self) && !self.is(SomeOrAnyTypeSyntax.self)
            && !self.is(MetatypeTypeSyntax.self)
    }
}
