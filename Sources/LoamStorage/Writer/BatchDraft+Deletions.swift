import LMDB

/// Delete rules: what follows from each deleted row, until nothing more does.
extension BatchDraft {
    func followDeletions(in transaction: borrowing WriteTransaction) throws {
        guard !deleted.isEmpty else { return }
        var denials: [Denial] = []
        var releases: [(draft: ReferenceDraft, row: RowID, target: RowID)] = []
        var waiting = outcomes.filter { $0.new == nil }
        var next = 0
        while next < waiting.count {
            let outcome = waiting[next]
            next += 1
            guard map.concerns(outcome.access.entity.id) else { continue }
            var step = Step(outcome)
            try followReferences(of: outcome, step: &step, in: transaction)
            try followReferrers(of: outcome, step: &step, in: transaction)
            try followLinks(of: outcome, step: &step, in: transaction)
            denials += step.denials
            releases += step.releases
            for (row, entity) in step.deletions {
                if let before = try delete(row, entity: entity, in: transaction) { waiting.append(before) }
            }
        }
        for denial in denials where !deleted.contains(denial.related) {
            // A row that is gone already, under the rule *no action*, denies nothing.
            guard try exists(denial.related, entity: denial.relatedEntity, in: transaction) else { continue }
            throw error(.deletionDenied(relationship: denial.relationship), entity: denial.entity, row: denial.row)
        }
        for (draft, row, target) in releases where !deleted.contains(row) {
            guard
                try outcome(of: row, entity: draft.access.entity, in: transaction)?.new?.reference(
                    draft.access.property) == target
            else { continue }
            try setReference(of: row, draft: draft, target: nil, in: transaction)
        }
    }

    private struct Denial {
        var relationship: String
        var entity: EntityID
        var row: RowID
        /// The row that must be deleted too.
        var related: RowID
        var relatedEntity: EntityID
    }

    /// What follows from one deleted row.
    private struct Step {
        let row: RowID
        let entity: EntityID
        var deletions: [(RowID, EntityID)] = []
        var denials: [Denial] = []
        var releases: [(draft: ReferenceDraft, row: RowID, target: RowID)] = []

        init(_ outcome: RowOutcome) {
            row = outcome.rowID
            entity = outcome.access.entity.id
        }

        mutating func apply(_ rule: DeleteRule, of relationship: Relationship, to related: RowID, entity: EntityID) {
            switch rule {
            case .cascade: deletions.append((related, entity))
            case .deny:
                denials.append(
                    Denial(
                        relationship: relationship.name, entity: self.entity, row: row, related: related,
                        relatedEntity: entity))
            case .nullify, .noAction: break
            }
        }
    }

    /// Follows the to-ones that the row itself keeps. `outcome` is the row as the batch would have left it.
    private func followReferences(
        of outcome: RowOutcome, step: inout Step, in transaction: borrowing WriteTransaction
    ) throws {
        for access in map.references(of: step.entity) {
            let target = try (outcome.new ?? outcome.old)?.reference(access.property)
            let draft = try draft(access)
            draft.note(step.row, old: target, new: nil)
            // Of a one-to-one, the target may have gone over to another row of the batch.
            guard let target, !access.isOneToOne || draft.arrivals(at: target).isEmpty else { continue }
            step.apply(
                access.relationship.deleteRule, of: access.relationship, to: target,
                entity: access.relationship.destination)
        }
    }

    /// Rows that refer to this one.
    private func followReferrers(
        of outcome: RowOutcome, step: inout Step, in transaction: borrowing WriteTransaction
    ) throws {
        for access in map.referrers[step.entity] ?? [] where access.ruleForReferrers != .noAction {
            let (draft, rule) = (try draft(access), access.ruleForReferrers)
            try draft.forEachReferrer(of: step.row, in: transaction) { row in
                guard !deleted.contains(row) else { return true }
                switch rule {
                case .nullify: step.releases.append((draft, row, step.row))
                default: step.apply(rule, of: access.inverse ?? access.relationship, to: row, entity: access.entity)
                }
                return true
            }
        }
    }

    private func followLinks(
        of outcome: RowOutcome, step: inout Step, in transaction: borrowing WriteTransaction
    ) throws {
        for access in map.outgoing[step.entity] ?? [] {
            try follow(access, half: .forward, rule: access.forward.deleteRule, step: &step, in: transaction)
        }
        for access in map.incoming[step.entity] ?? [] {
            try follow(
                access, half: .backward, rule: access.backward?.deleteRule ?? .nullify, step: &step, in: transaction)
        }
    }

    private func follow(
        _ access: LinkAccess, half: LinkTable.Half, rule: DeleteRule, step: inout Step,
        in transaction: borrowing WriteTransaction
    ) throws {
        let draft = try draft(access)
        try draft.prefetch(half, of: step.row, in: transaction)
        // Nobody could read what a row that is gone leads to one way.
        let staysBehind = rule == .noAction && access.backward != nil
        var members: [RowID] = []
        try draft.forEachMember(half, of: step.row, in: transaction) {
            members.append($0)
            return true
        }
        let isForward = half == .forward
        for member in members {
            let relationship = isForward ? access.forward : access.backward ?? access.forward
            step.apply(rule, of: relationship, to: member, entity: isForward ? access.destination : access.source)
            guard !staysBehind else { continue }
            try draft.unlink(
                .init(source: isForward ? step.row : member, destination: isForward ? member : step.row),
                in: transaction)
            if access.isSymmetric { try draft.unlink(.init(source: member, destination: step.row), in: transaction) }
        }
    }
}
