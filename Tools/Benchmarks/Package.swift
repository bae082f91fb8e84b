// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

/// Loam beside raw LMDB and GRDB, in one program. A package of its own, so that nobody who uses Loam fetches GRDB.
let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "Loam", path: "../.."),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .target(name: "CRawStore", linkerSettings: [.linkedLibrary("lmdb")]),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CRawStore",
                .product(name: "Loam", package: "Loam"),
                .product(name: "LoamUI", package: "Loam"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
