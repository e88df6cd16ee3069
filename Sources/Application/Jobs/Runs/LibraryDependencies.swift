import Books
import Formats
import Pipeline
import Sources
import Store
import System

/// Dependencies of the stages that import into a library or refresh it: files, catalogs, the store. The pipeline
/// definition states the steps; these are their resources.
struct LibraryDependencies: Sendable {
    /// The files to read, and how.
    var reading: ReadSettings
    var library: String
    /// The files that the request and the definition name.
    var named: NamedFiles
    /// The store whose job begins.
    var store: ResultsStore
    /// The clients of the services that are asked.
    var clients: ServiceClients
    /// The providers of books to ask, by their names on the command line, in order of preference.
    var providers: [String]
    /// The users' review decisions.
    var decisions: MatchDecisions
    /// Scope of a refresh.
    var refresh: RefreshScope
    var stop: StopSignal
    /// Whether records that no provider knows are rejected. Only for lists to look up: an import of a library keeps
    /// every record.
    var rejectsUnknown = false
    /// Called with the number of finished and of pending records of each batch.
    var observeRecords: ComposeResults.Observer?

    var catalogs: [Catalog] { named.catalogs }

    /// The providers of books to ask, in order of preference. None is needed to derive genres from stored data.
    var bookProviders: [any BookProvider] {
        guard !refresh.derivesGenres else { return [] }
        return providers.flatMap { name -> [any BookProvider] in
            name == Provider.catalogName
                ? catalogs.map { CatalogProvider($0) } : clients.provider(name).map { [$0] } ?? []
        }
    }

    /// The rules that a stage's settings name.
    func genreRules(_ settings: Settings) throws(ETLError) -> GenreRules {
        guard let name = settings[BookStages.genreRules] else { return GenreRules() }
        if let rules = named.genreRules[name] { return rules }
        return try GenreRuleFiles.read(name, settings)
    }

    /// The sink that writes into the store.
    func sink(batchesPerCommit: Int) throws(ETLError) -> WriteResults {
        // A refresh reads no file.
        let hasFiles = !reading.files.isEmpty
        let digest = TailHash(files: reading.files)
        return WriteResults(
            store: store, batchesPerCommit: batchesPerCommit,
            // With services, every batch is committed at once: their cached answers are in the store
            // too and must be readable immediately.
            defersCommit: clients.names.isEmpty, stop: stop
        ) { [reading] (end) throws(ETLError) in
            guard hasFiles else { return nil }
            let tail = digest.digest(before: end)
            // Checked after the digest: then the file that was read and digested is the one that was
            // surveyed.
            try reading.checkUnchanged(fileAt: end.file)
            return tail
        }
    }
}

/// Fields that a refresh may change, and their sources. An import of files does not use it.
struct RefreshScope: Sendable {
    /// Layouts of the rows of stored entries.
    var layouts = StoredLayouts()
    /// The fields that it may change; nil for all.
    var fields: Set<Field>?
    /// Whether only genres are derived again, from stored data.
    var derivesGenres = false
    /// Whether services do not answer later what they have not answered yet.
    var isFinal = false
    /// Whether it reads no more books.
    var isEnding: @Sendable () async -> Bool = { false }
}

/// Dependencies of the stages that build a catalog.
struct CatalogDependencies: Sendable {
    /// The dumps that the catalog is built from.
    var dumps: DumpFiles
    /// The catalog being built.
    var staged: StagedCatalog
    var stop: StopSignal
    /// Called with each part of the catalog as its writing begins.
    var beginsPart: @Sendable (CatalogBuildProgress.Phase) -> Void
}
