package import Books
package import Pipeline

/// What the stages of a run get from the world around it: the files, the catalogs, the store. A pipeline file says
/// what is done; this says with what.
package struct RunDependencies: Sendable {
    /// What is read, and how.
    package var reading: ReadSettings
    package var catalogs: [Catalog]
    package var library: String
    /// The store whose job has begun; nil while a definition is only checked.
    package var store: ResultsStore?
    package var stop: StopSignal
    /// Dumps that a catalog is built from.
    package var dumps = DumpFiles(paths: [])
    /// The catalog in the making; nil while a definition is only checked.
    package var draft: CatalogDraft?
    /// Told of each part of a catalog as it is written.
    package var beginsPart: @Sendable (CatalogBuildProgress.Phase) -> Void = { _ in }
    /// The services that are asked.
    package var clients = ServiceClients()
    /// Who is asked for books, by the names of the command line, in order of preference.
    package var providers = ["catalog"] + ServiceDefinition.all.filter(\.isOfBooks).map(\.name)

    /// Told of settled and open records, batch by batch.
    package var observeRecords: ComposeResults.Observer?

    /// What readers have said in reviews.
    package var decisions = MatchDecisions()

    package init(
        reading: ReadSettings, catalogs: [Catalog] = [], library: String = "default",
        store: ResultsStore? = nil,
        stop: StopSignal = StopSignal()
    ) {
        self.reading = reading
        self.catalogs = catalogs
        self.library = library
        self.store = store
        self.stop = stop
    }

    /// For checking definitions: nothing is there to be read.
    package static let none = RunDependencies(reading: ReadSettings(files: []))
}
