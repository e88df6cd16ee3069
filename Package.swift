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
        .target(
            name: "Stages",
            dependencies: ["Pipeline", "CSQLite", "CZlib", "CXML", "CCurl", "CScan"],
            resources: [
                .embedInCode("Books/Enrich/countries.tsv"),
                .embedInCode("Books/Enrich/genders.tsv"),
                .embedInCode("Books/Enrich/indigenous.tsv"),
                .embedInCode("Books/Genres/genre_noise.tsv"),
                .embedInCode("Books/Genres/genres.tsv"),
                .embedInCode("Books/Model/languages.tsv"),
                .embedInCode("Books/Validate/isbn_ranges.tsv"),
            ],
            swiftSettings: strict),
        // The definitions that `etl import` and `etl catalog build` run travel in the binary: links to those in
        // Pipelines.
        .executableTarget(
            name: "etl",
            dependencies: ["Pipeline", "Stages", "CMalloc"],
            resources: [.embedInCode("csv_import.yaml"), .embedInCode("catalog_build.yaml")],
            swiftSettings: strict),

        .target(
            name: "TestSupport", dependencies: ["Pipeline", "Stages"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .target(
            name: "Counters", path: "Tests/Counters", publicHeadersPath: ".", swiftSettings: strict,
            linkerSettings: [.linkedLibrary("dl")]),
        .testTarget(name: "PipelineTests", dependencies: ["Pipeline", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "StagesTests", dependencies: ["Stages", "TestSupport"], path: "Tests",
            sources: ["ApplicationTests", "BooksTests", "BytesTests", "DatabaseTests", "ServicesTests", "SyntaxTests"],
            swiftSettings: strict),
        .testTarget(name: "EtlTests", dependencies: ["etl", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "HouseTests", dependencies: ["TestSupport"], swiftSettings: strict),
    ]
)

// A fuzzer brings its own main, and without it plain builds would not link: asked for by name only.
if Context.environment["ETL_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "FuzzCSV", dependencies: ["Pipeline", "Stages", "TestSupport"], path: "Tests/Fuzz/FuzzCSV",
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
            name: target, dependencies: ["Pipeline", "Stages", "TestSupport"],
            path: "Tests/Benchmarks/\(target)", swiftSettings: strict)
    }
    package.targets += peers.map { _, target in
        .executableTarget(
            name: target, path: "Tests/Benchmarks/\(target)", swiftSettings: strict,
            linkerSettings: [.linkedLibrary("sqlite3")])
    }
}
