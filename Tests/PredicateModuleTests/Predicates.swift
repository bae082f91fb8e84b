// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Loam

/// Predicates in the forms that applications write.
///
/// `Tools/predicates` compiles this file as it stands and without `import Foundation`, under the compiler's own limit.
struct Predicates {
    var query = "a"
    var day = Date(timeIntervalSinceReferenceDate: 0)
    var end = Date(timeIntervalSinceReferenceDate: 200_000)
    var limit: Int? = 3
    var folder = UUID()
    var folders: [UUID] = []
    var wanted: PersistentIdentifier

    var ofNotes: [Predicate<Note>] {
        let (query, day, end, limit, folder, wanted) = (query, day, end, limit, folder, wanted)
        let high = Priority.high
        let parent = "Home"
        return [
            #Predicate { $0.isDone },
            #Predicate { !$0.isDone && $0.title.contains(query) },
            #Predicate { $0.folder?.name == "Inbox" },
            #Predicate { $0.folder?.name == "Inbox" && $0.rating == 3 },
            #Predicate { $0.folder?.name == query || $0.folder?.parent?.name == parent },
            #Predicate { $0.created >= day && $0.created < end },
            #Predicate { $0.due != nil && $0.due! < end },
            #Predicate { ($0.due ?? day) < end && !$0.isDone },
            #Predicate {
                $0.title.localizedStandardContains(query) || ($0.body ?? "").localizedStandardContains(query)
            },
            #Predicate { query.isEmpty || $0.title.localizedStandardContains(query) },
            #Predicate {
                query.isEmpty || $0.title.localizedStandardContains(query)
                    || $0.body?.localizedStandardContains(query) == true
                    || $0.address?.localizedStandardContains(query) == true
            },
            #Predicate { $0.priority == high },
            #Predicate { $0.rating == 5 && $0.price > 1.5 && $0.price < 100 },
            #Predicate { $0.persistentModelID == wanted },
            #Predicate { $0.folder?.id == folder },
            #Predicate { $0.tags.contains { $0.name == query } },
            #Predicate { $0.tags.isEmpty },
            #Predicate { note in note.title.starts(with: query) && note.body != nil && note.rating == limit },
            #Predicate { note in (note.rating ?? 0) > 3 && (note.price * 2) > 10 && note.isDone == false },
            #Predicate { note in
                note.folder?.parent?.name == "Home" && note.folder?.name == "Inbox" && note.body == "b"
            },
            #Predicate { note in
                note.created > day && note.created < end && note.due == nil && note.isDone == true
                    && note.title != "" && note.rating == nil
            },
            #Predicate { note in
                note.rating == 1 || note.rating == 2 || note.rating == 3 || note.rating == 4 || note.rating == 5
            },
            #Predicate { note in
                note.title == "a" && note.body == "b" && note.address == "b Street" && note.folder?.name == "Inbox"
                    && note.price < 1 && note.rating == 0 && !note.isDone
            },
            #Predicate { note in
                let title = note.title.lowercased()
                let isShort = title.count < 3, isDear = note.price > 1.5
                return isShort && isDear && title.hasPrefix("a") || !isShort && title.contains(query)
            },
            #Predicate { note in
                guard let folder = note.folder, !note.isDone else { return note.rating == limit }
                if let parent = folder.parent, parent.name == "Home" { return folder.isPinned && note.due != nil }
                if folder.name == "Home" {
                    let least = limit ?? 0
                    return note.price > 1.5 && (note.rating ?? 0) > least
                }
                return false
            },
            #Predicate { note in
                guard let limit else { return true }
                let next = Calendar.current.date(byAdding: .day, value: limit, to: day) ?? day
                return note.created < next && note.rating != limit
                    || note.tags.contains { tag in
                        let name = tag.name
                        return name == query && !note.isDone
                    }
            },
        ]
    }

    var ofFolders: [Predicate<Folder>] {
        let (query, folder, folders) = (query, folder, folders)
        return [
            #Predicate { $0.id == folder },
            #Predicate { folders.contains($0.id) },
            #Predicate { $0.notes.contains { $0.title == query } },
            #Predicate { $0.notes.contains { !$0.isDone && $0.rating == 5 } && $0.isPinned },
            #Predicate { $0.parent == nil && $0.notes.count > 3 },
            #Predicate { folder in folder.notes.filter { $0.isDone }.count == 0 && folder.name == "Archive" },
            #Predicate { folder in folder.parent?.name == "Home" && (folder.isPinned || folder.name.contains(query)) },
        ]
    }

    /// Predicates with parts that are expressions.
    var withExpressions: [Predicate<Note>] {
        let (query, limit) = (query, limit)
        let stars = #Expression<Note, Int> { note in (note.rating ?? 0) * 2 + (note.isDone ? 1 : 0) }
        let cost = #Expression<Note, Double> { $0.price * 2.0 + 1.5 - ($0.isDone ? 0.5 : 1.0) }
        let place = #Expression<Note, String?> { $0.folder?.parent?.name ?? $0.folder?.name }
        let text = #Expression<Note, String> { note in
            note.body == nil ? note.title : (note.address ?? note.body ?? "")
        }
        let matches = #Expression<[Tag], Int> { tags in tags.filter { $0.name == query || $0.name == "other" }.count }
        let wanted = #Expression<Note, Bool> { note in
            note.folder?.name == "Inbox" && note.rating == limit || note.body == "b" && note.price > 3.5
        }
        return [
            #Predicate { stars.evaluate($0) > 4 && stars.evaluate($0) < 9 },
            #Predicate { cost.evaluate($0) >= 5.5 && $0.rating != 3 },
            #Predicate { place.evaluate($0) == "Home" || place.evaluate($0) == nil },
            #Predicate { text.evaluate($0).localizedStandardContains("street") },
            #Predicate { matches.evaluate($0.tags) == 2 },
            #Predicate { wanted.evaluate($0) && $0.title != "" },
        ]
    }
}
