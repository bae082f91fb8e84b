import Foundation

extension ModelConfiguration {
    /// Where a group of programs keeps its stores.
    public struct GroupContainer: Hashable, Sendable {
        private let name: String?

        /// The stores lie in the user's application support folder.
        public static let automatic = GroupContainer(name: nil)
        /// The stores lie in the user's application support folder.
        public static let none = GroupContainer(name: nil)

        /// A folder of the group's name in the user's application support folder.
        public static func identifier(_ groupName: String) -> GroupContainer { GroupContainer(name: groupName) }

        func folder(in folder: URL) -> URL { name.map(folder.appendingPathComponent) ?? folder }
    }

    /// Which CloudKit database mirrors the store: there is none here.
    public struct CloudKitDatabase: Hashable, Sendable {
        let name: String?

        /// The models are not synchronized.
        public static let automatic = CloudKitDatabase(name: nil)
        /// The models are not synchronized.
        public static let none = CloudKitDatabase(name: nil)

        /// Not supported: opening a container throws ``SwiftDataError/loadIssueModelContainer``.
        public static func `private`(_ privateDBName: String) -> CloudKitDatabase {
            CloudKitDatabase(name: privateDBName)
        }
    }
}
