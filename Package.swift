// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

/// Settings of every target: imports are internal and complete, and a warning stops the build.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

/// The two lowest layers hand out spans that cannot outlive their transaction.
let spans: [SwiftSetting] = strict + [.enableExperimentalFeature("Lifetimes")]

let package = Package(
    name: "Loam",
    products: [
        .executable(name: "loam", targets: ["loam"]),
        .library(name: "Loam", targets: ["Loam"]),
        .library(name: "LoamUI", targets: ["LoamUI"]),
        .library(name: "LoamViews", targets: ["LoamViews"]),
        .plugin(name: "LoamPredicate", targets: ["LoamPredicate"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    ],
    targets: [
        .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        // One function of the Swift runtime; there is nothing to link.
        .systemLibrary(name: "CSwiftRuntime"),
        .target(name: "LMDB", dependencies: ["CLMDB"], swiftSettings: spans),
        .target(
            name: "LoamStorage",
            dependencies: ["LMDB"],
            swiftSettings: spans,
            linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]),
        .target(name: "LoamQuery", dependencies: ["LoamStorage"], swiftSettings: strict),
        .target(
            name: "LoamMacros",
            dependencies: [
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
            ],
            swiftSettings: strict),
        // Apart from the expansions, so that their tests need no second build of everything for the compiler's side.
        .macro(
            name: "LoamPlugin",
            dependencies: [
                "LoamMacros", .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
            ],
            swiftSettings: strict),
        .target(
            name: "Loam", dependencies: ["CSwiftRuntime", "LoamLive", "LoamPlugin", "LoamQuery", "LoamStorage"],
            swiftSettings: strict),
        // The property wrappers, and a host for them that draws nothing.
        .target(name: "LoamUI", dependencies: ["Loam", "LoamPlugin"], swiftSettings: strict),
        // Views by SwiftUI's names, each a node that a face draws.
        .target(name: "LoamViews", dependencies: ["LoamPlugin", "LoamUI"], swiftSettings: strict),
        // Declares `#Predicate` and `#Expression` in the module that asks for it, where they hide Foundation's.
        .plugin(name: "LoamPredicate", capability: .buildTool(), path: "Sources/LoamPredicate"),
        .target(name: "LoamLive", dependencies: ["LoamQuery", "LoamStorage"], swiftSettings: strict),
        .executableTarget(
            name: "loam",
            dependencies: [
                "LoamLive", "LoamQuery", "LoamStorage",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/loam",
            swiftSettings: strict),
        .executableTarget(
            name: "cities",
            dependencies: ["Loam", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Tools/cities",
            swiftSettings: strict),
        // Random numbers that follow from a seed, for tests and campaigns.
        .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: strict),
        // Random rows and queries with what a full scan gives for them, for tests and campaigns.
        .target(
            name: "RandomQueries", dependencies: ["LoamQuery", "LoamStorage", "SeededRandom"],
            path: "Tests/RandomQueries", swiftSettings: strict),
        // Random models and predicates over them, with what Swift says that they mean, for tests and campaigns.
        .target(
            name: "RandomPredicates", dependencies: ["Loam", "SeededRandom"], path: "Tests/RandomPredicates",
            swiftSettings: strict),
        .systemLibrary(
            name: "CSQLite", path: "Tests/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // Queries in SQL, and what SQLite answers: for tests and campaigns, in no product.
        .target(
            name: "SQLiteOracle",
            dependencies: ["CSQLite", "LoamQuery", "LoamStorage", "RandomQueries", "SeededRandom"],
            path: "Tests/SQLiteOracle", swiftSettings: strict),
        // How much of the heap is in use; there is nothing to link.
        .systemLibrary(name: "CHeap", path: "Tools/CHeap"),
        .executableTarget(
            name: "campaigns",
            dependencies: [
                "CHeap", "Loam", "LoamLive", "LoamQuery", "LoamStorage", "LoamUI", "LoamViews", "LMDB",
                "RandomPredicates", "RandomQueries", "SQLiteOracle", "SeededRandom",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/campaigns",
            exclude: ["Concurrent/thread-sanitizer.txt"],
            swiftSettings: strict),
        .executableTarget(
            name: "LMDBTestProcess", dependencies: ["LMDB"], path: "Tests/LMDBTestProcess", swiftSettings: spans),
        .testTarget(name: "LMDBTests", dependencies: ["LMDB", "LMDBTestProcess"], swiftSettings: spans),
        .testTarget(
            name: "LoamStorageTests", dependencies: ["LoamStorage", "LMDB", "SeededRandom", "campaigns"],
            swiftSettings: spans),
        .testTarget(
            name: "LoamToolTests", dependencies: ["loam", "LoamQuery", "LoamStorage", "SeededRandom"],
            swiftSettings: strict),
        .testTarget(
            name: "OracleTests",
            dependencies: [
                "loam", "LoamQuery", "LoamStorage", "SQLiteOracle",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        // Counts what a thread takes from the heap, in the program of the tests.
        .target(name: "AllocationCount", path: "Tests/AllocationCount"),
        .testTarget(
            name: "LoamQueryTests",
            dependencies: ["AllocationCount", "LoamQuery", "LoamStorage", "RandomQueries", "SeededRandom"],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "LoamTests",
            dependencies: ["Loam", "LoamLive", "LoamQuery", "LoamStorage", "RandomPredicates", "SeededRandom"],
            swiftSettings: strict),
        // Another toolkit, which has names of its own for what LoamUI has.
        .testTarget(name: "AdapterTests", dependencies: ["Loam", "LoamUI"], swiftSettings: strict),
        .testTarget(
            name: "LoamUITests", dependencies: ["Loam", "LoamStorage", "LoamUI"], swiftSettings: strict),
        .testTarget(name: "LoamViewsTests", dependencies: ["LoamViews"], swiftSettings: strict),
        // The README's example, compiled as a reader has it: in a module of its own.
        .testTarget(name: "ReadmeTests", dependencies: ["Loam", "LoamUI", "LoamViews"], swiftSettings: strict),
        // Predicates in files that import all of Foundation, in a module that declares the macro.
        .testTarget(
            name: "PredicateModuleTests", dependencies: ["Loam"], swiftSettings: strict, plugins: ["LoamPredicate"]),
        .testTarget(
            name: "LoamMacrosTests",
            dependencies: [
                "LoamMacros",
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "LoamLiveTests", dependencies: ["LMDB", "LoamLive", "LoamQuery", "LoamStorage", "SeededRandom"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
