public import Foundation
import LoamQuery
import LoamStorage

/// What went wrong, under SwiftData's names where it has one, with the place where it happened.
///
/// Two errors are equal when their codes are, so a `catch` can compare with the static values:
///
/// ```swift
/// do { try context.save() } catch SwiftDataError.modelValidationFailure { ... }
/// ```
public struct SwiftDataError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        case includePendingChangesWithBatchSize, unsupportedPredicate, unsupportedKeyPath
        case sortingPendingChangesWithIdentifiers, unsupportedSortDescriptor, duplicateConfiguration
        case configurationFileNameTooLong, configurationFileNameContainsInvalidCharacters
        case configurationSchemaNotFoundInContainerSchema, loadIssueModelContainer, modelValidationFailure
        case missingModelContext, backwardMigration, unknownSchema, historyTokenExpired
        case invalidTransactionFetchRequest
        /// A save met somebody else's change, under the policy that throws.
        case conflict
        /// A sum leaves its type.
        case aggregateOverflow
        /// The store's file cannot be read or written.
        case storage
    }

    package let code: Code
    /// The sentence that says what happened and what to do.
    package let detail: String

    package init(_ code: Code, detail: String = "") {
        self.code = code
        self.detail = detail
    }

    /// SwiftData's; not thrown here, where batches see unsaved changes.
    public static let includePendingChangesWithBatchSize = SwiftDataError(.includePendingChangesWithBatchSize)
    /// A predicate has a part that cannot be run; the description names it.
    public static let unsupportedPredicate = SwiftDataError(.unsupportedPredicate)
    /// A key path of a predicate, a section or a prefetch leads to no stored property that can stand there.
    public static let unsupportedKeyPath = SwiftDataError(.unsupportedKeyPath)
    /// SwiftData's; not thrown here, where identifiers are sorted with unsaved changes.
    public static let sortingPendingChangesWithIdentifiers = SwiftDataError(.sortingPendingChangesWithIdentifiers)
    /// A sort descriptor names something that has no order.
    public static let unsupportedSortDescriptor = SwiftDataError(.unsupportedSortDescriptor)
    /// Two configurations of a container are for the same store, or for the same model; the description names them.
    public static let duplicateConfiguration = SwiftDataError(.duplicateConfiguration)
    /// SwiftData's; not thrown here, where a file that cannot be made is ``loadIssueModelContainer``.
    public static let configurationFileNameTooLong = SwiftDataError(.configurationFileNameTooLong)
    /// SwiftData's; not thrown here, where a file that cannot be made is ``loadIssueModelContainer``.
    public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
        .configurationFileNameContainsInvalidCharacters)
    /// The schema of a configuration lists a model that the container's schema lacks; the description names both.
    public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
        .configurationSchemaNotFoundInContainerSchema)
    /// The store or the schema cannot be used; the description says why.
    public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)
    /// A model cannot be saved as it is: it breaks a bound of a relationship, a unique constraint or a denied
    /// deletion, lacks a required value, has a value that is too long, or belongs to another context; or it is gone,
    /// and the policy does not drop its changes.
    public static let modelValidationFailure = SwiftDataError(.modelValidationFailure)
    /// SwiftData's; not thrown here, where a model outside any context has no methods that need one.
    public static let missingModelContext = SwiftDataError(.missingModelContext)
    /// The store has a newer format than this version of Loam reads, or another program has changed its schema
    /// meanwhile.
    public static let backwardMigration = SwiftDataError(.backwardMigration)
    /// A model is not in the container's schema, or a property of it not in the store, or an identifier cannot be one.
    public static let unknownSchema = SwiftDataError(.unknownSchema)
    /// Saves after the token that a fetch of the history demands are not kept any more, or the token is of another
    /// store.
    public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)
    /// A fetch of the history cannot be run: the container keeps none, or has no transactions of the type.
    public static let invalidTransactionFetchRequest = SwiftDataError(.invalidTransactionFetchRequest)
    /// A model was changed by somebody else since it was read, and the context's policy is
    /// ``ModelContext/MergePolicy/throwOnConflict``.
    public static let conflict = SwiftDataError(.conflict)
    /// A sum of integers or decimals does not fit into its type; the description names it.
    public static let aggregateOverflow = SwiftDataError(.aggregateOverflow)
    /// The store cannot be read or written, as a full disk, damage, or a container with `allowsSave: false`; the
    /// description says why and what to do.
    public static let storage = SwiftDataError(.storage)

    /// Whether both have the same code, whatever their descriptions.
    public static func == (left: SwiftDataError, right: SwiftDataError) -> Bool { left.code == right.code }

    /// Hashes the code, so that equal errors have equal hashes.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// Whether an error has the pattern's code.
    public static func ~= (pattern: SwiftDataError, error: any Error) -> Bool {
        (error as? SwiftDataError)?.code == pattern.code
    }

    /// The code, and the sentence that says what happened and what to do.
    public var description: String { detail.isEmpty ? code.rawValue : "\(code.rawValue): \(detail)" }

    /// The sentence that says what happened and what to do, as `localizedDescription` gives it; the code where there is
    /// no sentence.
    public var errorDescription: String? { detail.isEmpty ? code.rawValue : detail }
}

extension SwiftDataError {
    /// An error of a lower layer under the name that users know.
    package init(_ error: any Error) {
        switch error {
        case let error as SwiftDataError: self = error
        case let error as StorageError: self.init(error.code, detail: error.description)
        case let error as QueryError where error.isUnknownProperty: self.init(.unsupportedKeyPath, detail: "\(error)")
        case let error as QueryError where error.isOverflow: self.init(.aggregateOverflow, detail: "\(error)")
        case let error as QueryError: self.init(.unsupportedPredicate, detail: "\(error)")
        default: self.init(.storage, detail: "\(error)")
        }
    }

    /// An error that kept a container from opening.
    init(opening error: any Error) {
        let mapped = SwiftDataError(error)
        self = mapped.code == .storage ? SwiftDataError(.loadIssueModelContainer, detail: mapped.detail) : mapped
    }
}

extension StorageError {
    fileprivate var code: SwiftDataError.Code {
        switch kind {
        case .conflict, .savedMeanwhile: .conflict
        case .newerStore, .newerSchema: .backwardMigration
        case .missingValue, .uniqueViolation, .unclaimedConstraint, .unclaimedProperty, .rowMissing, .typeMismatch,
            .valueTooLong, .valueTooDeep:
            .modelValidationFailure
        case .deletionDenied, .targetMissing, .referenceRequired, .tooFewRelated, .tooManyRelated:
            .modelValidationFailure
        case .unknownEntity, .unknownProperty, .relationshipMoved: .unknownSchema
        default: .storage
        }
    }
}

extension QueryError {
    fileprivate var isUnknownProperty: Bool {
        if case .unknownProperty = kind { true } else { false }
    }

    fileprivate var isOverflow: Bool {
        if case .sumOutOfRange = kind { true } else { false }
    }
}
