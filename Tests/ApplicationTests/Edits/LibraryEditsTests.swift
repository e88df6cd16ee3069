import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Application
@testable import Books
@testable import Database

/// What the reader changes by hand stays, whatever is imported later, and can be taken back.
@Suite struct LibraryEditsTests {
    private let folder: TemporaryFolder
    private let sample: SampleImport

    init() async throws {
        sample = try await SampleImport()
        folder = sample.folder
    }

    private var path: String { folder.file("s.sqlite") }
    private var dump: String { get throws { try sample.dump("s.sqlite") } }

    private static func dune(date: String = "2020/01/01", review: String = "", title: String = "Dune")
        -> String
    {
        GoodreadsRows.row("1", title, "Frank Herbert", "9780441172719", date: date, review: review)
    }
    private static let emma = GoodreadsRows.row("2", "Emma", "Jane Austen", "", date: "2020/01/02")

    @discardableResult
    private func rows(_ rows: [String], as name: String, in library: String = "default") async throws -> Job {
        var sample = sample
        sample.library = library
        sample.files = [try GoodreadsRows.write(rows, to: folder)]
        var request = try sample.request(store: path)
        request.jobName = name
        return try await ImportJob(request, clock: ManualClock()).run().job
    }

    @discardableResult
    private func set(
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
    private func edit(_ book: String, _ action: EditRequest.Action, _ fields: EditableField...) async throws
        -> EditReport
    {
        try await LibraryEdits(path).edit(
            BookReference(book), library: nil, pipeline: "lock", fields.map { ($0, action) })
    }

    private func undo(_ job: String?, withLater: Bool = false) async throws -> LibraryChange {
        try await ResultsStore(path, clock: ManualClock()).undo(
            UndoRequest(jobs: [#require(job)], withLater: withLater, name: UUID().uuidString))
    }

    private func explain(_ book: String) throws -> Explanation {
        try Explainer(StoreFile.openForReading(path)).explain(BookReference(book))
    }

    private func values(_ book: String, _ field: EditableField) throws -> [String] {
        let connection = try StoreFile.openForReading(path)
        let row = try EditableBook(BookReference(book), in: connection).row(of: field)
        let query = try connection.query(
            "SELECT \(field.column ?? "") FROM \(field.part.table.name) WHERE id = \(row)")
        guard try query.next(), let text = query.optionalString(0) else { return [] }
        return field.values(ofStored: text)
    }

    private func checkStore() throws {
        #expect(try StoreCheck(StoreFile.openForReading(path)).problems().isEmpty)
    }

    private static let dune13 = "9780441172719"

    @Test func `values set by hand survive a newer export, and an undo gives back what was there`()
        async throws
    {
        try await rows([Self.dune(), Self.emma], as: "old")
        let before = try dump
        let report = try await set(
            Self.dune13,
            [
                .title: "Der Wüstenplanet", .publisher: "Heyne", .genre: "Science Fiction; Classics",
                .rating: "4.5",
                .review: "Mine", .authors: "Frank Herbert; Somebody Else",
            ])
        #expect(report.rows.map(\.kind) == [.work, .edition, .entry])
        try checkStore()
        let edited = try dump
        #expect(edited != before && edited.contains("\"reviewStatus\":\"userEdited\""))

        try await rows(
            [Self.dune(date: "2021/01/01", review: "Theirs", title: "Dune, again"), Self.emma], as: "new")
        #expect(try values(Self.dune13, .title) == ["Der Wüstenplanet"])
        #expect(try values(Self.dune13, .publisher) == ["Heyne"])
        #expect(try values(Self.dune13, .genre) == ["Science Fiction", "Classics"])
        #expect(try values(Self.dune13, .rating) == ["4.5"])
        #expect(try values(Self.dune13, .review) == ["Mine"])
        #expect(try values(Self.dune13, .dateAdded) == ["2021-01-01"])
        let explained = try explain(Self.dune13)
        #expect(explained.authors.map(\.author.name) == ["Frank Herbert", "Somebody Else"])
        let title = try #require(explained.work?.fields.first { $0.field == .title })
        guard case .reader(let editedAt?) = title.source else {
            Issue.record("\(title)")
            return
        }
        #expect(editedAt > 0 && title.isLocked && title.rule == .edited)
        #expect(explained.entries.first?.edits.map(\.field) == [.rating, .review])
        try checkStore()

        let refused = await #expect(throws: StageFailure.self) { try await undo(report.job) }
        #expect(refused?.kind == .conflict)
        _ = try await undo("new")
        #expect(try dump == edited)
        let undone = try await undo(report.job)
        #expect(try dump == before)
        _ = try await undo(undone.job?.name)
        #expect(try dump == edited)
        try checkStore()
    }

    @Test func `a locked field keeps its value, or stays empty, until it is unlocked`() async throws {
        try await rows([Self.dune(review: "First")], as: "old")
        try await edit(Self.dune13, .lock, .review, .notes)
        try await set(Self.dune13, [.publisher: ""])
        let newer = Self.dune(date: "2021/01/01", review: "Second")
        try await rows([newer], as: "new")
        #expect(try values(Self.dune13, .review) == ["First"])
        #expect(try values(Self.dune13, .publisher) == [])
        #expect(try explain(Self.dune13).editions.first?.fields.contains { $0.field == .publisher } == true)

        try await edit(Self.dune13, .unlock, .review, .publisher)
        try await rows([Self.dune(date: "2022/01/01", review: "Third")], as: "newest")
        #expect(try values(Self.dune13, .review) == ["Third"])
        try checkStore()
    }

    @Test func `nothing happens if nothing changes, and a dry run changes nothing`() async throws {
        try await rows([Self.dune()], as: "old")
        let before = try dump
        let planned = try await set(Self.dune13, isDryRun: true, [.publisher: "Heyne"])
        #expect(planned.job == nil && planned.rows.first?.fields.first?.after == ["Heyne"])
        #expect(try dump == before)
        try await set(Self.dune13, [.publisher: "Heyne"])
        #expect(try await set(Self.dune13, [.publisher: "Heyne"]).rows.isEmpty)
        #expect(try await edit(Self.dune13, .lock, .publisher).job == nil)
        #expect(try JobTable(StoreFile.openForReading(path)).all().count == 2)
    }

    @Test func `a removed book stays away from later imports, and an undo brings it back`() async throws {
        try await rows([Self.dune(), Self.emma], as: "old")
        let before = try dump
        let removed = try await LibraryEdits(path).remove(BookReference("id:2"), library: nil)
        #expect(removed.title == "Emma" && removed.change.rows.entries.deleted == 1)
        #expect(try !dump.contains("Jane Austen"))
        try checkStore()
        let after = try dump
        let job = try await rows([Self.dune(), Self.emma], as: "again")
        #expect(job.counts.duplicatesSkipped == 2 && job.counts.booksCreated == 0)
        #expect(try dump == after)
        let warning = try StoreFile.openForReading(path).query("SELECT code FROM notices")
        #expect(try warning.next() && warning.string(0) == "stays_removed")
        try checkStore()

        _ = try await undo("again")
        let undone = try await undo(removed.change.job?.name)
        #expect(try dump == before)
        try checkStore()
        try await rows([Self.dune(), Self.emma], as: "third")
        #expect(try dump == before)
        _ = try await undo("third")
        _ = try await undo(undone.job?.name)
        #expect(try dump == after)
        let last = try await rows([Self.dune(), Self.emma], as: "last")
        #expect(last.counts.duplicatesSkipped == 2)
        try checkStore()
    }

    @Test func `a removed library takes its removed books and edits along`() async throws {
        try await rows([Self.dune()], as: "bens", in: "ben")
        let before = try dump
        try await rows([Self.dune(), Self.emma], as: "annas", in: "anna")
        _ = try await LibraryEdits(path).remove(BookReference("id:2"), library: "anna")
        try await set(Self.dune13, library: "anna", [.rating: "1"])
        _ = try await ResultsStore(path, clock: ManualClock()).forget("anna", as: "gone")
        #expect(try dump == before)
        try checkStore()
    }

    @Test func `an import whose book was only locked is not undone without the lock`() async throws {
        try await rows([Self.dune()], as: "old")
        try await edit(Self.dune13, .lock, .editionCover)
        let before = try dump
        let refused = await #expect(throws: StageFailure.self) { try await undo("old") }
        #expect(refused?.kind == .conflict)
        #expect(try dump == before)
        _ = try await undo("old", withLater: true)
        #expect(try dump == "")
        try checkStore()
    }

    @Test func `a book that is not certain is named`() async throws {
        try await rows([Self.dune()], as: "bens", in: "ben")
        try await rows([Self.dune()], as: "annas", in: "anna")
        let failure = await #expect(throws: StageFailure.self) { try await set(Self.dune13, [.rating: "4"]) }
        #expect(failure?.kind == .usage && failure?.message == "`Dune` is in the libraries 2 times.")
        let missing = await #expect(throws: StageFailure.self) {
            try await set("9780141439587", [.title: "X"])
        }
        #expect(missing?.kind == .missing)
        let row = await #expect(throws: StageFailure.self) { try await set("row:2", [.title: "X"]) }
        #expect(row?.kind == .usage)
        let removal = await #expect(throws: StageFailure.self) {
            try await LibraryEdits(path).remove(BookReference(Self.dune13), library: nil)
        }
        #expect(removal?.kind == .usage)
        try await set(Self.dune13, library: "anna", [.rating: "4"])
    }
}
