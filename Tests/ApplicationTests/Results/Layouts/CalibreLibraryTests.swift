import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Application
@testable import Books
@testable import Database

/// A store as a calibre library, which calibre itself turns into its database. calibre runs once at a time.
@Suite(.serialized) struct CalibreLibraryTests {
    private static let calibre = "/usr/bin/calibredb"
    private static let isThere = FileManager.default.isExecutableFile(atPath: calibre)

    private let folder: TemporaryFolder
    private var library: String { folder.file("library") }

    init() throws { folder = try TemporaryFolder() }

    private static func books(in library: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: library).filter { $0.hasSuffix("/metadata.opf") }
    }

    /// The entries that an import of calibre's database finds.
    private func restored() async throws -> [LibraryEntry] {
        let process = try ChildProcess(
            "/usr/bin/env",
            [
                "CALIBRE_CONFIG_DIRECTORY=\(folder.file("config"))", Self.calibre, "restore_database",
                "--really-do-it", "--with-library", library,
            ], output: .pipe)
        let said = String(decoding: process.output?.readDataToEndOfFile() ?? Data(), as: UTF8.self)
        #expect(try process.wait().status == 0)
        #expect(said.contains("succeeded"), "\(said.suffix(400))")
        return try await LayoutTrip.importing("\(library)/metadata.db") { try LayoutTrip.entries($0) }
    }

    private static let files: [String] = TestFiles.cases(
        own: [
            "goodreads/etl_2024.csv", "storygraph/etl_storygraph.csv", "other/etl_bookwyrm.csv",
            "calibre/etl_calibre.csv",
        ], shared: ["calibre/bookwyrm_calibre.csv"])

    @Test(.enabled(if: isThere, "needs calibre"), arguments: files)
    func `calibre has every book, and what the report does not name`(file: String) async throws {
        let before = try await LayoutTrip.importing(TestFiles.path(file)) { store in
            try LayoutExport(store, CalibreLibrary()).write(toFolder: library)
            return try LayoutTrip.entries(store)
        }
        #expect(try Self.books(in: library).count == before.count)
        let after = try await restored()
        #expect(after.count == before.count)
        LossReportTests.compare(before, after, CalibreLibrary())
    }

    /// Titles and names that are no names of files, and characters that XML does not have.
    private static let hostile = """
        Title,Author,My Rating,Bookshelves,My Review,Date Read
        ../../../etc/passwd,/root,3,"a, b",]]></meta><x>&amp;,2021-02-03
        con.,..,,,,
        "two
        lines",\\\\server\\share,,,\u{1}\u{7F}\u{FFFF}\u{FFFE}end,
        \(String(repeating: "书", count: 400)),<b>"quoted" & 'single'</b>,5,,,
        """

    @Test func `no name leads out of the folder`() async throws {
        try await LayoutTrip.importing(Array(Self.hostile.utf8), as: "hostile.csv") { store in
            _ = try LayoutExport(store, CalibreLibrary()).write(toFolder: library)
        }
        #expect(folder.names == ["library"])
        let names = try Self.books(in: library).flatMap { $0.split(separator: "/") }
        #expect(names.count == 12)
        #expect(!names.contains { $0.hasPrefix(".") || $0.utf8.count > 130 })
    }

    @Test(.enabled(if: isThere, "needs calibre"))
    func `calibre reads hostile texts as they are`() async throws {
        let before = try await LayoutTrip.importing(Array(Self.hostile.utf8), as: "hostile.csv") { store in
            try LayoutExport(store, CalibreLibrary()).write(toFolder: library)
            return try LayoutTrip.entries(store)
        }
        let after = try await restored()
        #expect(after.map { $0[.title] } == before.map { $0[.title] })
        #expect(after.first?[.review] == "]]></meta><x>&amp;")
        #expect(after.last?.people.map(\.name) == ["<b>\"quoted\" \u{FF06} 'single'</b>"])
        var losses = EntryLosses()
        CalibreLibrary().makeWriter().survey(try #require(before.last), losses: &losses)
        #expect(losses.list.map(\.field) == ["authors"])
    }

    @Test func `an export that is refused or fails leaves no folder`() async throws {
        try await LayoutTrip.importing(TestFiles.path("goodreads/etl_2024.csv")) { store in
            let export = LayoutExport(store, CalibreLibrary())
            try export.write(toFolder: library, unless: { (_) throws(StageFailure) in true })
            #expect(folder.names == [])
            _ = try folder.write("mine", to: "other")
            let failure = #expect(throws: StageFailure.self) {
                try export.write(toFolder: folder.file("other/library"))
            }
            #expect(failure?.kind == .cannotCreate)
            #expect(folder.names == ["other"])
            let full = #expect(throws: StageFailure.self) { try export.write(toFolder: folder.path) }
            #expect(full?.message.contains("is not empty") == true)
        }
    }
}
