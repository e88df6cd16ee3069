import Books
import TestSupport
import Testing

@testable import Database
@testable import Jobs
@testable import Queries
@testable import Store

/// A corrected title is the title that the user sees from then on.
@Suite struct TitleEditsTests {
    private let library: EditedLibrary

    init() async throws {
        library = try await EditedLibrary()
        try await library.rows([EditedLibrary.dune()], as: "old")
    }

    private func shown() throws -> String {
        try EditableBook(BookReference(EditedLibrary.dune13), in: StoreFile.openForReading(library.path))
            .title
    }

    private func give(edition: String?) throws {
        let connection = try Connection(library.path, .readWrite)
        try connection.execute("UPDATE editions SET title = ?1", edition)
    }

    @Test(arguments: [nil, "Dune", "Dune: A Novel"] as [String?])
    func `a corrected title is shown, is locked, and is one change to undo`(edition: String?) async throws {
        try give(edition: edition)
        let before = try library.dump
        let report = try await library.set(EditedLibrary.dune13, [.title: "The Sands"])
        #expect(try shown() == "The Sands")
        #expect(try library.values(EditedLibrary.dune13, .title) == ["The Sands"])
        #expect(report.rows.map(\.title) == Array(repeating: "The Sands", count: edition == nil ? 1 : 2))
        #expect(try library.explain(EditedLibrary.dune13).title?.text == "The Sands")
        try await library.rows([EditedLibrary.dune(date: "2021/01/01", title: "Dune, again")], as: "new")
        #expect(try shown() == "The Sands")
        _ = try await library.undo("new")
        _ = try await library.undo(report.job)
        #expect(try library.dump == before)
        try library.checkStore()
    }

    @Test func `a translation's title is corrected without the original's`() async throws {
        try give(edition: "Der Wüstenplanet")
        try await library.set(EditedLibrary.dune13, [.title: "Die Wüste"])
        #expect(try shown() == "Die Wüste")
        #expect(try library.values(EditedLibrary.dune13, .title) == ["Dune"])
        try await library.set(EditedLibrary.dune13, [.title: "Arrakis", .editionTitle: "Die Wüste"])
        #expect(try library.values(EditedLibrary.dune13, .title) == ["Arrakis"])
        #expect(try shown() == "Die Wüste")
    }

    @Test func `locks of a title hold what is shown, and are removed together`() async throws {
        try give(edition: "Dune")
        let locked = try await library.edit(EditedLibrary.dune13, .lock, .title)
        #expect(locked.rows.flatMap(\.fields).map(\.field) == [.title, .editionTitle])
        let unlocked = try await library.edit(EditedLibrary.dune13, .unlock, .title)
        #expect(unlocked.rows.flatMap(\.fields).map(\.field) == [.title, .editionTitle])
    }
}
