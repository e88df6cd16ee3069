package import Books
import Formats
import Foundation
package import Jobs
package import Pipeline
package import Store
package import System

/// Imports of the sample library with the options of a test.
package struct SampleImport {
    package let folder: TemporaryFolder
    package let catalog: String
    /// Keeps the folder of a catalog that belongs to another.
    private var origin: TemporaryFolder?
    package var files = [ProjectFiles.sample("goodreads_library_export.csv")]
    package var batchRecords = 8
    /// The maximum number of batches per transaction; nil for the default. Small, so that a run stopped at
    /// its first commit has not read everything.
    package var batchesPerCommit: Int? = 8
    package var limits = ResultsStore.Limits()
    package var library = "default"
    package var replaces = false
    /// The explicit order of dates that end with the year.
    package var dateOrder: DateOrder?
    package var asksCatalog = true
    /// Stages before those of `csv_import`: a text that begins with `stages:`.
    package var stages: String?

    /// Uses a copy of the sample's catalog.
    package init() async throws {
        folder = try TemporaryFolder()
        catalog = folder.file("catalog.sqlite")
        try await BuiltCatalogs.copy(ofFiles: ProjectFiles.catalogSources, to: catalog)
    }

    /// Uses the catalog of a test.
    package init(asking fixture: CatalogFixture) throws {
        folder = try TemporaryFolder()
        catalog = fixture.path
        origin = fixture.folder
    }

    /// Uses the catalog of another, with its own folder.
    package init(sharing other: SampleImport) throws {
        folder = try TemporaryFolder()
        catalog = other.catalog
        origin = other.folder
    }

    package func request(store: String) throws -> ImportRequest {
        var overrides = [try DefinitionOverride(option: "source.settings.batch.records=\(batchRecords)")]
        if let batchesPerCommit {
            overrides.append(
                try DefinitionOverride(option: "sink.settings.commit.batches=\(batchesPerCommit)"))
        }
        var text = try DefinitionFile.load("\(ProjectFiles.root)/Pipelines/csv_import.yaml")
        if let stages {
            text = Array(String(decoding: text, as: UTF8.self).replacing("stages:\n", with: stages).utf8)
        }
        let definition = try DefinitionFile.read(text, named: "csv_import.yaml", overrides: overrides)
        var request = ImportRequest(
            reading: ReadSettings(files: files), storePath: store, freshName: UUID().uuidString,
            definition: definition)
        request.catalogPaths = asksCatalog ? [catalog] : []
        request.limits = limits
        request.library = library
        request.replaces = replaces
        request.reading.explicitDateOrder = dateOrder
        return request
    }

    /// Imports into a store in the folder.
    @discardableResult
    package func run(
        _ store: String, stop: StopSignal = StopSignal(),
        observingCommits: (@Sendable (ResultsStore.CommitPoint) -> Void)? = nil,
        reshaping: @escaping @Sendable (Flow) -> Flow = { $0 },
        observing: @escaping @Sendable (ImportEvent) -> Void = { _ in }
    ) async throws -> ImportOutcome {
        try await ImportJob(
            request(store: folder.file(store)), clock: ManualClock(), stop: stop,
            observingCommits: observingCommits,
            reshaping: reshaping, observing: observing
        ).run()
    }

    /// The canonical dump of a store in the folder.
    package func dump(_ store: String) throws -> String {
        try StoreFile.openForReading(folder.file(store)).canonicalDump()
    }

    /// Copies the current files of a store, as a kill at this moment would leave them.
    package static func copy(_ store: String, to other: String) {
        for suffix in ["", "-wal", "-journal"] {
            try? FileManager.default.removeItem(atPath: other + suffix)
            try? FileManager.default.copyItem(atPath: store + suffix, toPath: other + suffix)
        }
    }
}

/// Copies a store after each batch and before and after each commit, as kills at those moments would leave
/// it.
package final class CommitCopies: Sendable {
    private let store: String
    private let folder: TemporaryFolder
    private let taken = Guarded<[String]>([])
    private let hot = Guarded(0)

    /// - Parameter store: The name of a store in the folder.
    package init(of store: String, in folder: TemporaryFolder) {
        self.store = store
        self.folder = folder
    }

    /// The names of the copies, in order.
    package var names: [String] { taken.withLock(\.self) }

    /// The names of the copies that a test takes up: with ``Dose/isFull`` all, otherwise the first two, every fourth
    /// and the last two.
    package var tried: [String] {
        let names = names
        guard !Dose.isFull else { return names }
        return names.enumerated()
            .filter { $0.offset < 2 || $0.offset >= names.count - 2 || $0.offset % 4 == 0 }.map(\.element)
    }

    /// The number of copies in which pages of an open transaction are already on disk, so that SQLite has to
    /// roll them back.
    package var hotCount: Int { hot.withLock(\.self) }

    /// Copies the store in its current state; called at the commits of a run.
    package func take(_ point: ResultsStore.CommitPoint) {
        let name = taken.withLock { names in
            names.append("killed-\(names.count).sqlite")
            return names[names.count - 1]
        }
        SampleImport.copy(folder.file(store), to: folder.file(name))
        // The journal of a finished transaction begins with zeros.
        let journal = FileHandle(forReadingAtPath: folder.file(name + "-journal"))
        defer { try? journal?.close() }
        if let first = try? journal?.read(upToCount: 1)?.first, first != 0 { hot.withLock { $0 += 1 } }
    }
}

/// Rows of generated Goodreads exports.
package enum GoodreadsRows {
    package static let header = "Book Id,Title,Author,ISBN13,My Rating,Date Added,Exclusive Shelf,My Review"

    /// A distinct ISBN for each book.
    package static func isbn(_ book: Int) -> String { ISBN(twelve: 978_315_000_000 + Int64(book)).isbn13 }

    package static func row(
        _ id: String, _ title: String, _ author: String, _ isbn: String, date: String, review: String = ""
    ) -> String {
        "\(id),\(title),\(author),\(isbn),3,\(date),read,\(review)"
    }

    /// Writes an export to a new file.
    ///
    /// - Returns: Its path.
    package static func write(_ rows: [String], to folder: TemporaryFolder) throws -> String {
        try folder.write(
            ([header] + rows).joined(separator: "\n") + "\n", to: "\(UUID().uuidString).csv")
    }
}
