// swift-tools-version: 6.3
import PackageDescription

/// The settings of every Swift target. A warning is an error: a clean build is the only kind there is.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    // An existential is a choice that costs: it is written out as `any`.
    .enableUpcomingFeature("ExistentialAny"),
    // What a module imports stays its own affair unless it says `public import`.
    .enableUpcomingFeature("InternalImportsByDefault"),
    // A member is visible only where its module is imported: no file leans on its neighbour's imports.
    .enableUpcomingFeature("MemberImportVisibility"),
    // A nonisolated async function runs where its caller runs: no hidden hop between a stage and its worker.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// The modules of Sources/Stages that programs and tests build on, lowest first.
let stages: [Target.Dependency] = [
    "Bytes", "Syntax", "Database", "Services", "Books", "Application", "FakeServices",
]
/// What the tests of those modules see.
let tested: [Target.Dependency] = stages + ["Pipeline", "TestSupport"]

let package = Package(
    name: "etl",
    products: [
        .executable(name: "etl", targets: ["etl"]),
        // Preloaded by a test into the tool: no part of it.
        .library(name: "Counters", type: .dynamic, targets: ["Counters"]),
    ],
    targets: [
        // C libraries of the system, each behind a module map and a shim and touched by one folder only.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        // A header of static inline byte scans: nothing to link.
        .systemLibrary(name: "CScan"),
        // One setting of glibc's allocator.
        .systemLibrary(name: "CMalloc"),

        .target(name: "Pipeline", dependencies: ["CYAML"], swiftSettings: strict),
        // The modules of Sources/Stages, lowest first: each may import only what its line names.
        .target(name: "Bytes", path: "Sources/Stages/Bytes", swiftSettings: strict),
        .target(
            name: "Syntax", dependencies: ["Bytes", "Pipeline", "CScan", "CXML", "CZlib"],
            path: "Sources/Stages/Syntax", swiftSettings: strict),
        .target(
            name: "Database", dependencies: ["Bytes", "Pipeline", "CSQLite"],
            path: "Sources/Stages/Database", swiftSettings: strict),
        .target(
            name: "Services", dependencies: ["Bytes", "Syntax", "Database", "Pipeline", "CCurl"],
            path: "Sources/Stages/Services", swiftSettings: strict),
        .target(
            name: "Books", dependencies: ["Bytes", "Syntax", "Database", "Services", "Pipeline"],
            path: "Sources/Stages/Books",
            resources: [
                .embedInCode("Enrich/countries.tsv"),
                .embedInCode("Enrich/genders.tsv"),
                .embedInCode("Enrich/indigenous.tsv"),
                .embedInCode("Genres/genre_noise.tsv"),
                .embedInCode("Genres/genres.tsv"),
                .embedInCode("Model/languages.tsv"),
                .embedInCode("Validate/isbn_ranges.tsv"),
            ],
            swiftSettings: strict),
        .target(
            name: "Application",
            dependencies: ["Bytes", "Syntax", "Database", "Services", "Books", "Pipeline"],
            path: "Sources/Stages/Application", swiftSettings: strict),
        .target(
            name: "FakeServices", dependencies: ["Bytes", "Books", "Services", "Pipeline"],
            path: "Sources/Stages/FakeServices", swiftSettings: strict),
        // The definitions that `etl import` and `etl catalog build` run travel in the binary: links to those in
        // Pipelines.
        .executableTarget(
            name: "etl",
            dependencies: stages + ["Pipeline", "CMalloc"],
            resources: [.embedInCode("csv_import.yaml"), .embedInCode("catalog_build.yaml")],
            swiftSettings: strict),

        .target(
            name: "TestSupport", dependencies: stages + ["Pipeline"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .target(
            name: "Counters", path: "Tests/Counters", publicHeadersPath: ".", swiftSettings: strict,
            linkerSettings: [.linkedLibrary("dl")]),
        .testTarget(name: "PipelineTests", dependencies: ["Pipeline", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "BytesTests", dependencies: tested, swiftSettings: strict),
        .testTarget(name: "SyntaxTests", dependencies: tested, swiftSettings: strict),
        .testTarget(name: "DatabaseTests", dependencies: tested, swiftSettings: strict),
        .testTarget(name: "ServicesTests", dependencies: tested, swiftSettings: strict),
        .testTarget(name: "BooksTests", dependencies: tested, swiftSettings: strict),
        .testTarget(name: "ApplicationTests", dependencies: tested, swiftSettings: strict),
        .testTarget(name: "EtlTests", dependencies: tested + ["etl"], swiftSettings: strict),
        .testTarget(name: "HouseTests", dependencies: ["TestSupport"], swiftSettings: strict),
    ]
)

// A fuzzer brings its own main, and without it plain builds would not link: asked for by name only.
if Context.environment["ETL_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "FuzzCSV", dependencies: tested, path: "Tests/Fuzz/FuzzCSV",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}

// Benchmarks are programs of their own (Tests/Benchmarks/README.md), which plain builds and tests do without.
if Context.environment["ETL_BENCH"] != nil {
    let programs = [
        ("catalog-rate", "CatalogRate"), ("generate-library", "GenerateLibrary"), ("stage-rate", "StageRate"),
        ("service-rate", "ServiceRate"),
    ]
    // The shortest loops in C that do the same.
    let peers = [("look-up-peer", "LookUpPeer"), ("write-peer", "WritePeer")]
    for (name, target) in programs + peers {
        package.products.append(.executable(name: name, targets: [target]))
    }
    package.targets += programs.map { _, target in
        .executableTarget(
            name: target, dependencies: tested,
            path: "Tests/Benchmarks/\(target)", swiftSettings: strict)
    }
    package.targets += peers.map { _, target in
        .executableTarget(
            name: target, path: "Tests/Benchmarks/\(target)", swiftSettings: strict,
            linkerSettings: [.linkedLibrary("sqlite3")])
    }
}
