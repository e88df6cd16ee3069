// swift-tools-version: 6.3
import PackageDescription

/// The settings of every Swift target. Warnings are errors.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    // Existentials have a cost, so they are written as `any`.
    .enableUpcomingFeature("ExistentialAny"),
    // An import is not visible to clients of a module unless it is a `public import`.
    .enableUpcomingFeature("InternalImportsByDefault"),
    // A member is visible only in files that import its module: no file depends on another file's imports.
    .enableUpcomingFeature("MemberImportVisibility"),
    // A nonisolated async function runs on its caller's executor: no hidden switch between a stage and its
    // worker.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// The settings of modules with hot loops. With `ETL_OPTIMIZED=1` they are optimized in debug builds too, with their assertions:
/// all tests run in a third of the time, but a changed line builds for minutes. `make test` sets it, `swift test` does not.
let hot =
    strict
    + (Context.environment["ETL_OPTIMIZED"] == nil
        ? []
        : [
            .unsafeFlags(
                [
                    "-O", "-disable-batch-mode", "-whole-module-optimization", "-num-threads", "2",
                    "-assert-config", "Debug",
                ], .when(configuration: .debug))
        ])

/// The settings of modules without hot loops. The optimizer sees one file at a time: all cores work on a module, and
/// modules that import it need not wait for its code.
let cold =
    strict + [
        .unsafeFlags(
            ["-no-whole-module-optimization", "-enable-batch-mode", "-num-threads", "0"],
            .when(configuration: .release))
    ]

/// Modules that know nothing about books.
let support: [Target.Dependency] = ["System", "Bytes", "Syntax", "Database", "Services", "Pipeline"]
/// The domain and the stages of the dataflow.
let stages: [Target.Dependency] = ["Books", "Store", "Sources", "Formats"]
/// What programs and tests build on.
let all: [Target.Dependency] = support + stages + ["Vectors", "Contract", "Queries", "Jobs", "FakeServices"]
/// The dependencies of tests.
let tested: [Target.Dependency] = all + ["TestSupport"]

let package = Package(
    name: "etl",
    products: [
        .executable(name: "etl", targets: ["etl"]),
        // A test preloads this library into the tool. It is not part of the tool.
        .library(name: "Counters", type: .dynamic, targets: ["Counters"]),
    ],
    targets: [
        // System C libraries, each with a module map and a shim. Each is used by one folder only; libcurl also by LinuxTransport.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
        .systemLibrary(
            name: "CXLSXWriter", pkgConfig: "xlsxwriter", providers: [.apt(["libxlsxwriter-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CLzma", pkgConfig: "liblzma", providers: [.apt(["liblzma-dev"])]),
        .systemLibrary(name: "CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        // Debian's package has no file for pkg-config.
        .systemLibrary(name: "CWslay", providers: [.apt(["libwslay-dev"])]),
        // Linux's epoll.
        .systemLibrary(name: "CEpoll"),
        // ICU's normalization forms, behind one C function.
        .target(name: "CICU", linkerSettings: [.linkedLibrary("icuuc")]),
        // A header with static inline byte scans. Nothing is linked.
        .systemLibrary(name: "CScan"),
        // A header with static inline sums, products and scans over vectors. Nothing is linked.
        .systemLibrary(name: "CVectors"),
        // The commit that the program was built from, if the build names it.
        .systemLibrary(name: "CBuild"),
        // glibc's allocator settings.
        .systemLibrary(name: "CMalloc"),
        // glibc's functions for starting a process that inherits nothing.
        .systemLibrary(name: "CSpawn"),
        // glibc's functions for extended attributes of files.
        .systemLibrary(name: "CXAttr"),

        // Support: none of these knows about books. Each target may import only its dependencies.
        .target(name: "System", path: "Sources/Support/System", swiftSettings: hot),
        .target(name: "Bytes", dependencies: ["CICU"], path: "Sources/Support/Bytes", swiftSettings: hot),
        .target(
            name: "Syntax",
            dependencies: [
                "System", "Bytes", "CScan", "CXML", "CZlib", "CZip", "CZstd", "CLzma", "CXLSXWriter",
            ],
            path: "Sources/Support/Syntax", swiftSettings: hot),
        .target(
            name: "Database", dependencies: ["System", "Bytes", "CSQLite"],
            path: "Sources/Support/Database", swiftSettings: hot),
        .target(
            name: "Services", dependencies: ["System", "Bytes", "Syntax", "Database", "CCurl"],
            path: "Sources/Support/Services", swiftSettings: hot),
        .target(
            name: "Vectors", dependencies: ["System", "Bytes", "Syntax", "Database", "CVectors"],
            path: "Sources/Support/Vectors", swiftSettings: hot),
        // The runtime.
        .target(name: "Pipeline", dependencies: ["System", "CYAML"], swiftSettings: hot),
        // The domain: it knows no file, no database and no service.
        .target(
            name: "Books", dependencies: ["System", "Bytes", "Syntax", "Pipeline"],
            resources: [
                .embedInCode("Genres/genre_noise.tsv"),
                .embedInCode("Genres/genres.tsv"),
                .embedInCode("Genres/subject_codes.tsv"),
                .embedInCode("Genres/tag_words.tsv"),
                .embedInCode("ISBN/isbn_ranges.tsv"),
                .embedInCode("Model/language_names.tsv"),
                .embedInCode("Model/languages.tsv"),
                .embedInCode("People/roles.tsv"),
            ],
            swiftSettings: hot),
        // The stages of the dataflow. These modules do not need each other.
        .target(
            name: "Formats", dependencies: ["System", "Bytes", "Syntax", "Database", "Pipeline", "Books"],
            path: "Sources/Stages/Formats",
            resources: [
                .embedInCode("Input/column_names.tsv")
            ],
            swiftSettings: hot),
        .target(
            name: "Sources",
            dependencies: [
                "System", "Bytes", "Syntax", "Database", "Services", "Pipeline", "Books", "CXAttr",
            ],
            path: "Sources/Stages/Sources",
            resources: [
                .embedInCode("Enrich/countries.tsv"),
                .embedInCode("Enrich/genders.tsv"),
                .embedInCode("Enrich/indigenous.tsv"),
            ],
            swiftSettings: hot),
        .target(
            name: "Store",
            dependencies: ["System", "Bytes", "Syntax", "Database", "Services", "Pipeline", "Books"],
            path: "Sources/Stages/Store", swiftSettings: hot),
        .target(
            name: "Rows",
            dependencies: ["System", "Bytes", "Syntax", "Database", "Pipeline", "Books", "CSpawn"],
            path: "Sources/Stages/Rows", swiftSettings: hot),
        // Everything below a user interface: the records of the documents, queries on a store, and jobs that change one.
        .target(
            name: "Contract", dependencies: ["Bytes", "Syntax", "Books", "Store"],
            path: "Sources/Application/Contract", swiftSettings: cold),
        .target(
            name: "Queries", dependencies: support + stages + ["Vectors", "Contract"],
            path: "Sources/Application/Queries",
            resources: [.embedInCode("LibraryReport/report.css")], swiftSettings: cold),
        .target(
            name: "Jobs", dependencies: support + stages + ["Vectors", "Rows", "Contract", "Queries"],
            path: "Sources/Application/Jobs", swiftSettings: cold),
        .target(
            name: "FakeServices", dependencies: ["System", "Bytes", "Syntax", "Services", "Books"],
            swiftSettings: cold),
        // Frames of WebSockets, for the server and for LinuxTransport.
        .target(name: "WebSocket", dependencies: ["CWslay"], swiftSettings: strict),
        .target(
            name: "Server",
            dependencies: [
                "System", "Bytes", "Syntax", "Database", "Services", "Pipeline", "Books", "Formats",
                "Sources", "Store", "Contract", "Queries", "Jobs", "WebSocket", "CMicroHTTPD", "CEpoll",
            ],
            resources: [.embedInCode("Page/style.css"), .embedInCode("Page/page.js")],
            swiftSettings: cold),
        // The Swift client of the service: the sources of the package in Sources/Client, for the tests here. It depends on
        // nothing.
        .target(name: "BooksTrack", path: "Sources/Client/Sources/BooksTrack", swiftSettings: strict),
        // The command line. The pipeline definitions of `etl import` and `etl catalog build` are embedded in the binary.
        // They are symbolic links to files in Pipelines.
        .target(
            name: "CommandLineTool", dependencies: all + ["CBuild", "CMalloc"],
            path: "Sources/etl/CommandLineTool",
            resources: [
                .embedInCode("csv_import.yaml"), .embedInCode("catalog_build.yaml"),
                .embedInCode("batch_enrichment.yaml"),
            ],
            swiftSettings: cold),
        // The program: the command line, and the server for `etl serve`.
        .executableTarget(
            name: "etl",
            dependencies: ["System", "Formats", "Syntax", "Jobs", "Server", "CommandLineTool"],
            path: "Sources/etl/Main", swiftSettings: cold),

        .target(
            name: "TestSupport", dependencies: all + ["CSpawn"], path: "Tests/TestSupport",
            swiftSettings: strict),
        // The Swift client's transport in tests.
        .target(
            name: "LinuxTransport", dependencies: ["BooksTrack", "WebSocket", "CCurl"],
            path: "Tests/LinuxTransport", swiftSettings: strict),
        // An app that keeps books in SQLite, as the tutorial of the Swift client builds it.
        .target(
            name: "BookShelf", dependencies: ["BooksTrack", "CSQLite"], path: "Tests/BookShelf",
            swiftSettings: strict),
        .target(
            name: "Counters", path: "Tests/Counters", publicHeadersPath: ".", swiftSettings: strict,
            linkerSettings: [.linkedLibrary("dl")]),
        .testTarget(name: "SystemTests", dependencies: tested, swiftSettings: strict),
        .testTarget(name: "BytesTests", dependencies: tested, swiftSettings: strict),
        .testTarget(name: "SyntaxTests", dependencies: tested, swiftSettings: strict),
        .testTarget(name: "DatabaseTests", dependencies: tested, swiftSettings: strict),
        .testTarget(name: "ServicesTests", dependencies: tested, swiftSettings: strict),
        .testTarget(name: "VectorsTests", dependencies: tested, swiftSettings: strict),
        .testTarget(name: "PipelineTests", dependencies: tested, swiftSettings: strict),
        .testTarget(name: "BooksTests", dependencies: tested, swiftSettings: strict),
        .testTarget(name: "FormatsTests", dependencies: tested, swiftSettings: strict),
        .testTarget(name: "SourcesTests", dependencies: tested, swiftSettings: strict),
        .testTarget(name: "StoreTests", dependencies: tested, swiftSettings: strict),
        .testTarget(name: "RowsTests", dependencies: tested + ["Rows"], swiftSettings: strict),
        .testTarget(name: "ApplicationTests", dependencies: tested, swiftSettings: strict),
        .testTarget(
            name: "ServerTests",
            dependencies: tested + ["Server", "WebSocket", "BooksTrack", "LinuxTransport", "BookShelf"],
            swiftSettings: strict),
        .testTarget(
            name: "ClientTests", dependencies: ["BooksTrack", "LinuxTransport", "BookShelf"],
            swiftSettings: strict),
        .testTarget(
            name: "EtlTests", dependencies: tested + ["CommandLineTool", "etl"], swiftSettings: strict),
        .testTarget(name: "RepositoryTests", dependencies: ["TestSupport"], swiftSettings: strict),
    ]
)

// The address sanitizer needs a build of its own. It checks the fast tests, so what they do not need is left out.
if Context.environment["ETL_FAST_TESTS"] != nil {
    let tests = [
        "SystemTests", "BytesTests", "SyntaxTests", "DatabaseTests", "ServicesTests", "VectorsTests",
        "PipelineTests",
    ]
    let others = ["etl", "Server", "WebSocket", "BooksTrack", "LinuxTransport", "BookShelf"]
    package.products.removeAll { $0.name != "Counters" }
    package.targets.removeAll {
        others.contains($0.name) || ($0.type == .test && !tests.contains($0.name))
    }
}

// A fuzzer has no main of its own (libFuzzer brings it), so it would not link in plain builds. Built only on
// request.
if Context.environment["ETL_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzz", dependencies: tested + ["Server", "BooksTrack", "LinuxTransport"],
            path: "Tests/Fuzz/Fuzz",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}

// Benchmarks are separate programs (Tests/Benchmarks/README.md), built only on request.
if Context.environment["ETL_BENCH"] != nil {
    let programs = [
        ("catalog-rate", "CatalogRate"), ("generate-library", "GenerateLibrary"), ("stage-rate", "StageRate"),
        ("service-rate", "ServiceRate"),
    ]
    // Minimal C programs that do the same work, for comparison.
    let peers = [("look-up-peer", "LookUpPeer"), ("write-peer", "WritePeer")]
    for (name, target) in programs + peers {
        package.products.append(.executable(name: name, targets: [target]))
    }
    package.targets += programs.map { _, target in
        .executableTarget(
            name: target, dependencies: tested,
            path: "Tests/Benchmarks/\(target)", swiftSettings: strict)
    }
    // It needs few modules, so that it is built in seconds.
    package.products.append(.executable(name: "vector-rate", targets: ["VectorRate"]))
    package.targets.append(
        .executableTarget(
            name: "VectorRate", dependencies: ["System", "Vectors", "CVectors"],
            path: "Tests/Benchmarks/VectorRate",
            swiftSettings: strict))
    package.targets += peers.map { _, target in
        .executableTarget(
            name: target, path: "Tests/Benchmarks/\(target)", swiftSettings: strict,
            linkerSettings: [.linkedLibrary("sqlite3")])
    }
}
