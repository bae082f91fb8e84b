#if !canImport(Darwin)
    public import Foundation

    // Names that Foundation has on Apple's systems only, and that code which opens stores uses. Where Foundation comes
    // to have them, its own are preferred.
    extension URL {
        /// The folder in which the user keeps documents.
        @_disfavoredOverload
        public static var documentsDirectory: URL { folder(.documentDirectory, else: "Documents") }

        /// Where programs keep what the user does not look at, stores among it; on Linux as XDG has it.
        @_disfavoredOverload
        public static var applicationSupportDirectory: URL {
            folder(.applicationSupportDirectory, else: ".local/share")
        }

        /// Where programs keep what they can make again.
        @_disfavoredOverload
        public static var cachesDirectory: URL { folder(.cachesDirectory, else: ".cache") }

        private static func folder(_ folder: FileManager.SearchPathDirectory, else path: String) -> URL {
            let known = FileManager.default.urls(for: folder, in: .userDomainMask).first
            let folder = known ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: path)
            return URL(filePath: folder.path, directoryHint: .isDirectory)
        }
    }
#endif
