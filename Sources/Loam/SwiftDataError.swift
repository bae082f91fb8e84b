import LoamQuery
import LoamStorage

/// What went wrong, under SwiftData's names where it has one, with the place where it happened.
///
/// Two errors are equal when their codes are, so a `catch` can compare with the static values:
///
/// ```swift
/// do { try context.save() } catch SwiftDataError.modelValidationFailure { ... }
/// ```
public struct SwiftDataError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        case includePendingChangesWithBatchSize, unsupportedPredicate, unsupportedKeyPath
        case sortingPendingChangesWithIdentifiers, unsupportedSortDescriptor, duplicateConfiguration
        case configurationFileNameTooLong, configurationFileNameContainsInvalidCharacters
        case configurationSchemaNotFoundInContainerSchema, loadIssueModelContainer, modelValidationFailure
        case missingModelContext, backwardMigration, unknownSchema, historyTokenExpired
        case invalidTransactionFetchRequest
        /// A save met somebody else's change, under the policy that throws.
        case conflict
        /// The store's file cannot be read or written.
        case storage
    }

    package let code: Code
    /// The sentence that says what happened and what to do.
    package let detail: String

    package init(_ code: Code, _ detail: String = "") {
        self.code = code
        self.detail = detail
    }

    public static let includePendingChangesWithBatchSize = SwiftDataError(.includePendingChangesWithBatchSize)
    public static let unsupportedPredicate = SwiftDataError(.unsupportedPredicate)
    public static let unsupportedKeyPath = SwiftDataError(.unsupportedKeyPath)
    public static let sortingPendingChangesWithIdentifiers = SwiftDataError(.sortingPendingChangesWithIdentifiers)
    public static let unsupportedSortDescriptor = SwiftDataError(.unsupportedSortDescriptor)
    public static let duplicateConfiguration = SwiftDataError(.duplicateConfiguration)
    public static let configurationFileNameTooLong = SwiftDataError(.configurationFileNameTooLong)
    public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
        .configurationFileNameContainsInvalidCharacters)
    public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
        .configurationSchemaNotFoundInContainerSchema)
    public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)
    /// A model that is to be saved breaks a rule: a bound of a relationship, a required value, a denied deletion.
    public static let modelValidationFailure = SwiftDataError(.modelValidationFailure)
    public static let missingModelContext = SwiftDataError(.missingModelContext)
    public static let backwardMigration = SwiftDataError(.backwardMigration)
    public static let unknownSchema = SwiftDataError(.unknownSchema)
    public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)
    public static let invalidTransactionFetchRequest = SwiftDataError(.invalidTransactionFetchRequest)
    /// A model was changed by somebody else since it was read, and the context's policy is ``ModelContext/MergePolicy/error``.
    public static let conflict = SwiftDataError(.conflict)
    /// The store's file cannot be read or written; the description says why and what to do.
    public static let storage = SwiftDataError(.storage)

    public static func == (left: SwiftDataError, right: SwiftDataError) -> Bool { left.code == right.code }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    public static func ~= (pattern: SwiftDataError, error: any Error) -> Bool {
        (error as? SwiftDataError)?.code == pattern.code
    }

    public var description: String { detail.isEmpty ? code.rawValue : "\(code.rawValue): \(detail)" }
}

extension SwiftDataError {
    /// An error of a lower layer under the name that users know.
    init(_ error: any Error) {
        switch error {
        case let error as SwiftDataError: self = error
        case let error as StorageError: self.init(error.code, error.description)
        case let error as QueryError where error.isUnknownProperty: self.init(.unsupportedKeyPath, "\(error)")
        case let error as QueryError: self.init(.unsupportedPredicate, "\(error)")
        default: self.init(.storage, "\(error)")
        }
    }

    /// An error that kept a container from opening.
    init(opening error: any Error) {
        let mapped = SwiftDataError(error)
        self = mapped.code == .storage ? SwiftDataError(.loadIssueModelContainer, mapped.detail) : mapped
    }
}

extension StorageError {
    fileprivate var code: SwiftDataError.Code {
        switch kind {
        case .conflict: .conflict
        case .newerStore, .newerSchema: .backwardMigration
        case .missingValue, .uniqueViolation, .rowMissing, .typeMismatch, .valueTooLong, .valueTooDeep:
            .modelValidationFailure
        case .deletionDenied, .targetMissing, .referenceRequired, .tooFewRelated, .tooManyRelated:
            .modelValidationFailure
        case .unknownEntity, .unknownProperty: .unknownSchema
        default: .storage
        }
    }
}

extension QueryError {
    fileprivate var isUnknownProperty: Bool {
        if case .unknownProperty = kind { true } else { false }
    }
}
