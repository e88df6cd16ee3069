package import Books
package import Pipeline

/// What the stages of a run need from outside: files, catalogs, the store. A pipeline definition says what is
/// done; this says with what.
package struct RunDependencies: Sendable {
    /// The files to read, and how.
    package var reading: ReadSettings
    package var catalogs: [Catalog]
    package var library: String
    /// The store whose job has begun; nil while a definition is only checked.
    package var store: ResultsStore?
    package var stop: StopSignal
    /// Dumps that a catalog is built from.
    package var dumps = DumpFiles(paths: [])
    /// The catalog being built; nil while a definition is only checked.
    package var draft: CatalogDraft?
    /// Called with each part of a catalog as its writing begins.
    package var beginsPart: @Sendable (CatalogBuildProgress.Phase) -> Void = { _ in }
    /// The clients of the services that are asked.
    package var clients = ServiceClients()
    /// The providers of books to ask, by their names on the command line, in order of preference.
    package var providers = [Provider.catalogName] + ServiceDefinition.all.filter(\.isOfBooks).map(\.name)

    /// Called with the number of finished and of pending records of each batch.
    package var observeRecords: ComposeResults.Observer?

    /// The files of genre rules that the definition names, by the text of the setting.
    package var genreRules: [String: GenreRules] = [:]

    /// How the rows of stored entries are read.
    var layouts = StoredLayouts()
    /// The fields that a refresh may change; nil for all.
    var refreshedFields: Set<Field>?
    /// Whether only genres are derived again, from what the store has.
    var derivesGenres = false
    /// Whether services do not answer later what they have not answered yet.
    var isFinal = false
    /// Whether a refresh reads no more books.
    var isEnding: @Sendable () async -> Bool = { false }

    /// The users' review decisions.
    package var decisions = MatchDecisions()

    package init(
        reading: ReadSettings, catalogs: [Catalog] = [], library: String = JobOptions.defaultLibrary,
        store: ResultsStore? = nil,
        stop: StopSignal = StopSignal()
    ) {
        self.reading = reading
        self.catalogs = catalogs
        self.library = library
        self.store = store
        self.stop = stop
    }

    /// For checking definitions: there are no files.
    package static let none = RunDependencies(reading: ReadSettings(files: []))
}
