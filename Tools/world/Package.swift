// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

/// Countries in a terminal and in a browser, from the same views. A package of its own, so that nobody who uses Loam
/// fetches Hummingbird.
let package = Package(
    name: "World",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Loam", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.0.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        // What both faces are made of, without a terminal, a socket or a store.
        .target(name: "WorldFaces", swiftSettings: strict),
        // The folder of the same name beside this package, by a link: what the C library says of the heap.
        .systemLibrary(name: "CHeap"),
        .executableTarget(
            name: "world",
            dependencies: [
                "CHeap", "WorldFaces",
                .product(name: "LoamViews", package: "Loam"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        // A terminal in memory, for tests of both targets.
        .target(name: "TerminalEmulator", path: "Tests/TerminalEmulator", swiftSettings: strict),
        .testTarget(name: "WorldFacesTests", dependencies: ["TerminalEmulator", "WorldFaces"], swiftSettings: strict),
        .testTarget(
            name: "WorldTests",
            dependencies: [
                "TerminalEmulator", "WorldFaces", "world",
                .product(name: "LoamViews", package: "Loam"),
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
