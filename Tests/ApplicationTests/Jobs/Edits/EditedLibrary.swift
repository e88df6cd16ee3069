import Foundation
import System
import TestSupport
import Testing

@testable import Contract
@testable import Database
@testable import Jobs
@testable import Queries
@testable import Store

/// A library of a few books that a test imports, edits and undoes.
struct EditedLibrary {
    let folder: TemporaryFolder
    let sample: SampleImport

    init() async throws { self.init(sample: try await SampleImport()) }

    init(sample: SampleImport) {
        self.sample = sample
        folder = sample.folder
    }

    var path: String { folder.file("s.sqlite") }
    var dump: String { get throws { try sample.dump("s.sqlite") } }

    static func dune(date: String = "2020/01/01", review: String = "", title: String = "Dune")
        -> String
    {
        GoodreadsRows.row("1", title, "Frank Herbert", "9780441172719", date: date, review: review)
    }
    static let emma = GoodreadsRows.row("2", "Emma", "Jane Austen", "", date: "2020/01/02")

    /// The same books and another one, as The StoryGraph exports them.
    static let storyGraph = """
        Title,Authors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Star Rating,Review,Tags,Owned?
        Dune,Frank Herbert,9780441172719,paperback,read,2019/12/01,2021/05/26,2021/05/18-2021/05/26,1,3.75,Sandy.,sand,Yes
        "Emma: A Novel",Jane Austen,9780141439587,paperback,read,2020/02/01,,,1,,,,No
        Persuasion,Jane Austen,9780141439686,paperback,to-read,2020/02/01,,,0,,,,No

        """

    @discardableResult
    func rows(_ rows: [String], as name: String, in library: String = "default") async throws -> Job {
        var sample = sample
        sample.library = library
        sample.files = [try GoodreadsRows.write(rows, to: folder)]
        var request = try sample.request(store: path)
        request.jobName = name
        return try await ImportJob(request, clock: ManualClock()).run().job
    }

    @discardableResult
    func set(
        _ book: String, library: String? = nil, isDryRun: Bool = false, _ values: [EditableField: String]
    ) async throws -> EditReport {
        var actions: [(field: EditableField, action: EditRequest.Action)] = []
        for (field, text) in values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            actions.append((field, .set(try field.values(of: text))))
        }
        return try await LibraryEdits(path, isDryRun: isDryRun).edit(
            BookReference(book), library: library, pipeline: "set", actions)
    }

    @discardableResult
    func edit(_ book: String, _ action: EditRequest.Action, _ fields: EditableField...) async throws
        -> EditReport
    {
        try await LibraryEdits(path).edit(
            BookReference(book), library: nil, pipeline: "lock", fields.map { ($0, action) })
    }

    func undo(_ job: String?, withLater: Bool = false) async throws -> LibraryChange {
        try await ResultsStore(path, clock: ManualClock()).undo(
            UndoRequest(jobs: [#require(job)], withLater: withLater, name: UUID().uuidString))
    }

    func explain(_ book: String) throws -> Explanation {
        try Explainer(StoreFile.openForReading(path)).explain(BookReference(book))
    }

    func values(_ book: String, _ field: EditableField) throws -> [String] {
        let connection = try StoreFile.openForReading(path)
        let row = try EditableBook(BookReference(book), in: connection).row(of: field)
        guard
            let query = try connection.row(
                "SELECT \(field.column ?? "") FROM \(field.part.table.name) WHERE id = \(row)"),
            let text = query.optionalString(0)
        else { return [] }
        return field.values(ofStored: text)
    }

    func checkStore() throws {
        #expect(try StoreCheck(StoreFile.openForReading(path)).problems().isEmpty)
    }

    static let dune13 = "9780441172719"
}
