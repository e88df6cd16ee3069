import Books
import Bytes
import Formats
import FoundationEssentials
import Glibc
package import Pipeline
import Sources
import Store
package import System

/// The stages that pipeline definitions can name, in the order in which records pass them.
package enum BookStages {
    private static let batchRecords = Setting.integer(
        "batch.records", default: ReadSettings.defaultBatchRecords, in: 1...65_536,
        "Maximum number of records in a batch.")
    private static let batchBytes = Setting.bytes(
        "batch.bytes", default: 1 << 20, in: 4_096...64 << 20, "Maximum size of the records in a batch.")

    /// The formats that a pipeline is made for.
    private static let formats = Setting<[String]>.list(
        "formats", of: LibraryFormats.all.map(\.name),
        "Formats that the pipeline is made for; files in another one are refused. Default: all.")

    private static let dumpRecords = Setting.integer(
        "batch.records", default: 8_192, in: 1...65_536, "Maximum number of lines in a batch.")
    private static let dumpBytes = Setting.bytes(
        "batch.bytes", default: 1 << 20, in: 4_096...64 << 20,
        "Maximum size of the text in a batch; a single line may be longer.")
    private static let dumpsPerCommit = Setting.integer(
        "commit.batches", default: 8, in: 1...64, "Maximum number of batches in a transaction.")
    /// Output path of catalogs for `etl run`; `etl catalog build` has an option for it.
    static let catalogPath = Setting.text("out", default: "catalog.sqlite", "Path of the catalog to write.")
    private static let genreLimit = Setting.integer(
        "limit", default: NormalizeGenres.defaultLimit, in: 1...256, "Maximum number of genres of a book.")
    static let genreRules = Setting<String?>.text("rules", "File with your own rules for genres.")
    private static let policy = Setting<MergePolicy>.phrases(
        "policy", mustBe: "merge rules such as `description=longest`", fallback: MergePolicy(),
        "Merge rules that replace the defaults, for example `description=longest`."
    ) { (texts) throws(PhraseMistake) in
        // On the command line, rules are separated by commas.
        let lines = texts.map { $0.split(separator: ",").map { String($0.drop { $0 == " " }) } }
        for (index, lines) in lines.enumerated() {
            do throws(PolicyError) {
                _ = try MergePolicy(lines: lines)
            } catch {
                throw PhraseMistake(at: index, error.description, advice: error.advice)
            }
        }
        return (try? MergePolicy(lines: lines.flatMap { $0 })) ?? MergePolicy()
    }
    private static let batchesPerCommit = Setting.integer(
        "commit.batches", default: 128, in: 1...256, "Maximum number of batches in a transaction.")

    /// Conditions at the end of a run.
    static let expectations = Setting<[RunExpectation]>.phrases(
        "expect", mustBe: "expectations such as `changed <= 5 %`", fallback: [],
        "Conditions at the end of a run, such as `changed <= 5 %` or `fill_rate(cover) >= 0.8`."
    ) { (texts) throws(PhraseMistake) in
        try PhraseMistake.locating { (text) throws(ExpressionError) in try RunExpectation(text) }(texts)
    }
    static let violationAction = Setting<RunExpectation.Action>.choice(
        "on_violation", default: .keep,
        "Action if an expectation does not hold: leave the job unfinished, or undo it.")

    /// The settings of each service in a pipeline definition.
    private static let serviceSpecs = ServiceDefinition.all.map { definition in
        ServiceSpec(
            definition.name, summary: definition.summary,
            settings: [ServiceSetting.baseURL.spec, ServiceSetting.rate.spec]
                + (definition.isOfBooks ? [ServiceSetting.strategy.spec] : []) + definition.settings)
    }

    /// The registry for checking definitions. Nothing is open, so its stages cannot be made.
    package static let registry = registry(library: nothing(), catalog: nothing())

    /// A definition that is only checked.
    ///
    /// - Throws: `configuration` with everything that is wrong in it, each with its place.
    package static func plan(_ definition: PipelineDefinition) throws(ETLError) -> Plan {
        try plan(definition, registry)
    }

    /// A plan that imports into a library, or refreshes it.
    static func plan(
        _ definition: PipelineDefinition, _ dependencies: LibraryDependencies
    ) throws(ETLError) -> Plan {
        try plan(definition, registry(library: { dependencies }, catalog: nothing()))
    }

    /// A plan that builds a catalog.
    static func plan(
        _ definition: PipelineDefinition, _ dependencies: CatalogDependencies
    ) throws(ETLError) -> Plan {
        try plan(definition, registry(library: nothing(), catalog: { dependencies }))
    }

    private static func plan(
        _ definition: PipelineDefinition, _ registry: StageRegistry
    ) throws(ETLError) -> Plan {
        do { return try Plan(definition, registry: registry) } catch { throw error.failure }
    }

    /// The formats that a plan's source is made for; empty for all.
    static func expectedFormats(of plan: Plan) -> [String] { plan.source.settings[formats] }

    /// The dependencies of a pipeline's stages. They are the same at each call.
    typealias Open<Dependencies> = @Sendable () throws(ETLError) -> Dependencies

    private static func nothing<Dependencies>() -> Open<Dependencies> {
        { () throws(ETLError) in
            throw ETLError(.configuration, "The definition was checked, but not opened for a run.")
        }
    }

    private static func registry(
        library: @escaping Open<LibraryDependencies>, catalog: @escaping Open<CatalogDependencies>
    ) -> StageRegistry {
        StageRegistry(
            libraryFactories(library) + catalogFactories(catalog), providers: serviceSpecs)
    }

    private static func libraryFactories(_ open: @escaping Open<LibraryDependencies>) -> [StageFactory] {
        [
            StageFactory(
                source: "ReadLibrary", summary: "Reads library exports of all supported formats.",
                settings: [formats.spec, batchRecords.spec, batchBytes.spec]
            ) { (settings) throws(ETLError) in
                let dependencies = try open()
                var reading = dependencies.reading
                reading.expectedFormats = settings[formats]
                reading.batchRecords = settings[batchRecords]
                reading.batchBytes = settings[batchBytes]
                return ReadLibrary(reading, stop: dependencies.stop)
            }
        ] + RowStages.factories(open) + [
            StageFactory(
                source: "ReadStoredBooks",
                summary: "Reads the stored books that a refresh chooses, one entry of each.",
                settings: [batchRecords.spec, batchBytes.spec]
            ) { (settings) throws(ETLError) in
                let dependencies = try open()
                return ReadStoredBooks(
                    store: dependencies.store, layouts: dependencies.refresh.layouts,
                    batchLimits: BatchLimits(records: settings[batchRecords], bytes: settings[batchBytes]),
                    isEnding: dependencies.refresh.isEnding)
            },
            StageFactory(
                stage: "ValidateISBN",
                summary: "Checks the ISBN of each row and repairs it if only one repair is possible."
            ) { _ in ValidateISBN() },
            StageFactory(
                stage: "LookUpBooks",
                summary: "Looks books up in catalogs and services, by ISBN, then by title and author."
            ) { (_) throws(ETLError) in
                let dependencies = try open()
                return LookUpBooks(
                    providers: dependencies.bookProviders, decisions: dependencies.decisions,
                    strategies: dependencies.clients.strategies, isFinal: dependencies.refresh.isFinal)
            },
            StageFactory(
                stage: "MergeCandidates",
                summary: "Merges a row and its candidates into one book, field by field.",
                settings: [policy.spec]
            ) { settings in MergeCandidates(policy: settings[policy]) },
            StageFactory(
                stage: "RecallSubjects",
                summary:
                    "Takes the subjects of stored books from the store if only genres are derived again."
            ) { (_) throws(ETLError) in
                let dependencies = try open()
                guard dependencies.refresh.derivesGenres else { return RecallSubjects(nil) }
                let store = dependencies.store
                return RecallSubjects { (editions) throws(ETLError) in
                    try await store.subjects(ofEditions: editions)
                }
            },
            StageFactory(
                stage: "NormalizeGenres", summary: "Turns subjects and shelves into canonical genres.",
                settings: [genreLimit.spec, genreRules.spec]
            ) { (settings) throws(ETLError) in
                NormalizeGenres(rules: try open().genreRules(settings), limit: settings[genreLimit])
            },
            StageFactory(
                stage: "EnrichAuthors",
                summary: "Adds Wikidata's data about authors who are identified with certainty."
            ) { (_) throws(ETLError) in
                let dependencies = try open()
                return EnrichAuthors(
                    directory: CompositePersonDirectory(
                        dependencies.refresh.derivesGenres ? [] : dependencies.catalogs,
                        services: dependencies.clients.directories))
            },
            StageFactory(
                stage: "KeepOffers",
                summary: "Keeps what providers offer for stored books, and drops the users' own values."
            ) { (_) throws(ETLError) in
                let refresh = try open().refresh
                return KeepOffers(fields: refresh.fields, keepsShelves: refresh.derivesGenres)
            },
            StageFactory(
                stage: "ComposeResults",
                summary: "Computes keys, packs lineage and prepares books for writing."
            ) { (_) throws(ETLError) in
                let dependencies = try open()
                return ComposeResults(
                    library: dependencies.library, numbers: dependencies.store.numbers,
                    rejectingUnknown: dependencies.rejectsUnknown,
                    observing: dependencies.observeRecords)
            },
            StageFactory(
                sink: "WriteResults",
                summary: "Commits the results, rejects and checkpoint of each batch in one transaction.",
                settings: [batchesPerCommit.spec, expectations.spec, violationAction.spec]
            ) { (settings) throws(ETLError) in
                try open().sink(batchesPerCommit: settings[batchesPerCommit])
            },
            StageFactory(
                source: "ReadStore", summary: "Takes a store as it is, for WriteExport.", settings: []
            ) { (_) throws(ETLError) -> ReadStore in throw ReadStore.misplaced },
            StageFactory(
                sink: "WriteExport",
                summary: "Writes an export in the format of a program; no store is kept.",
                settings: [WriteExport.format.spec, WriteExport.out.spec, WriteExport.losses.spec]
            ) { (_) throws(ETLError) in
                WriteExport(try open().sink(batchesPerCommit: batchesPerCommit.fallback))
            },
        ]
    }

    private static func catalogFactories(_ open: @escaping Open<CatalogDependencies>) -> [StageFactory] {
        [
            StageFactory(
                source: "ReadDumps",
                summary: "Reads dumps of Open Library and Wikidata, plain or gzip, as lines.",
                settings: [dumpRecords.spec, dumpBytes.spec]
            ) { (settings) throws(ETLError) in
                var files = try open().dumps
                files.batchRecords = settings[dumpRecords]
                files.batchBytes = settings[dumpBytes]
                return ReadDumps(files)
            },
            StageFactory(
                stage: "DecodeDumps", summary: "Decodes lines of dumps and keeps what a catalog needs.",
                workers: 2
            ) { (_) throws(ETLError) in DecodeDumps(try open().dumps) },
            StageFactory(
                sink: "WriteCatalog",
                summary:
                    "Stores the records and checkpoint of each batch in one transaction; writes the catalog at the end.",
                settings: [catalogPath.spec, dumpsPerCommit.spec]
            ) { (settings) throws(ETLError) in
                let dependencies = try open()
                return WriteCatalog(
                    dependencies.staged, batchesPerCommit: settings[dumpsPerCommit], stop: dependencies.stop,
                    begin: dependencies.beginsPart)
            },
        ]
    }
}
