import SwiftSyntax
import SwiftSyntaxBuilder

/// The getter and the setter of a persisted property.
///
/// No access to the field spans a call into the library: loading a value can bring the object up to date, which writes
/// its fields.
struct PropertyAccessors {
    let property: DeclaredProperty
    let ordinal: ExprSyntax

    /// Reads the mark that `@Model` has put on a property; nil where the declaration is no property that it knows.
    init?(of declaration: some DeclSyntaxProtocol, markedBy node: AttributeSyntax) {
        guard let property = DeclaredProperty(declaration), let ordinal = node.argumentList?.first?.expression.trimmed
        else { return nil }
        self.property = property
        self.ordinal = ordinal
    }

    private var field: String { property.fieldName }
    private var keyPath: String { "\\.\(property.identifier.text)" }

    var getter: AccessorDeclSyntax {
        """
        get {
            Loam._access(self, \(raw: keyPath))
            if let value = \(raw: field).value {
                return value
            }
            var field = \(raw: field)
            let value = Loam.\(raw: property.isTransformed ? "_loadTransformed" : "_load")(self, \(ordinal), into: &field)
            \(raw: field) = field
            return value
        }
        """
    }

    var setter: AccessorDeclSyntax {
        """
        set {
            Loam._willSet(self, \(ordinal), \(raw: keyPath))
            \(raw: field) = Loam.\(raw: property.isTransformed ? "_assignTransformed" : "_assign")(newValue, to: \(ordinal), of: self)
            Loam._didSet(self, \(raw: keyPath))
        }
        """
    }
}
