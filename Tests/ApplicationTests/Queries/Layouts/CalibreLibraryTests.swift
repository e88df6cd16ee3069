import Foundation
import System
import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Formats
@testable import Queries

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
    private func restored(in zone: String = "UTC") async throws -> [LibraryEntry] {
        let process = try ChildProcess(
            "/usr/bin/env",
            [
                "TZ=\(zone)", "CALIBRE_CONFIG_DIRECTORY=\(folder.file("config"))", Self.calibre,
                "restore_database",
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

    @Test(.enabled(if: isThere, "needs calibre"), arguments: ["Pacific/Auckland", "Pacific/Honolulu"])
    func `days stay what they are wherever the library is made`(zone: String) async throws {
        let before = try await LayoutTrip.importing(TestFiles.path("goodreads/etl_2024.csv")) { store in
            try LayoutExport(store, CalibreLibrary()).write(toFolder: library)
            return try LayoutTrip.entries(store)
        }
        let after = try await restored(in: zone)
        #expect(after.map { $0[.dateAdded] } == before.map { $0[.dateAdded] })
        #expect(after.map { $0.readings.last } == before.map { $0.readings.last })
    }

    @Test(.enabled(if: isThere, "needs calibre"))
    func `books keep the numbers that they have in calibre`() async throws {
        try await LayoutTrip.importing(TestFiles.path("calibre/etl_calibre.csv")) { store in
            _ = try LayoutExport(store, CalibreLibrary()).write(toFolder: library)
        }
        _ = try await restored()
        let database = "\(library)/metadata.db"
        try Connection(database, .readWrite).execute(
            "DROP TRIGGER books_update_trg; UPDATE books SET id = id + 40 WHERE id = 2")
        let again = folder.file("again")
        try await LayoutTrip.importing(database) { store in
            _ = try LayoutExport(store, CalibreLibrary()).write(toFolder: again)
        }
        let names = try Self.books(in: again).map { $0.split(separator: "/")[1] }
        #expect(names.count == 2 && names.contains { $0.hasSuffix(" (1)") })
        #expect(names.contains { $0.hasSuffix(" (42)") })
    }

    @Test func `the file of a book says everything in calibre's words`() throws {
        var entry = LibraryEntry()
        entry[.title] = "Tom & <Jerry>"
        entry.people = [
            .init(name: "Ursula K. Le Guin", role: .author), .init(name: "Jane Doe", role: .author),
        ]
        entry.series = [.init(name: "Sea", number: "2.5")]
        (entry[.isbn], entry[.publishedDate], entry[.shelf]) = ("9780441478125", "1969", "to-read")
        (entry.rating, entry.tags, entry[.pageCount]) = (4.5, ["sf"], "about 300")
        var losses = EntryLosses()
        let text = String(
            decoding: CalibreBook(entry, number: 7, CalibreSpellings(), &losses).document, as: UTF8.self)
        for line in [
            #"<dc:identifier opf:scheme="calibre">7</dc:identifier>"#,
            "<dc:title>Tom &amp; &lt;Jerry&gt;</dc:title>",
            #"<dc:creator opf:file-as="Le Guin, Ursula K. &amp; Doe, Jane" opf:role="aut">Ursula K. Le Guin</dc:creator>"#,
            "<dc:date>1969-01-01T10:00:00+00:00</dc:date>", #"<meta name="calibre:rating" content="9"/>"#,
            #"<meta name="calibre:series_index" content="2.5"/>"#, "<dc:subject>sf</dc:subject>",
            #"<meta name="calibre:timestamp" content="0101-01-01T00:00:00+00:00"/>"#,
            #"calibre:user_metadata:#status" content="{&quot;label&quot;:&quot;status&quot;"#,
        ] { #expect(text.contains(line), "\(line)") }
        #expect(!text.contains("#pages"))
        #expect(losses.list.map(\.field) == ["publishedDate", "pageCount"])
        entry.series = [.init(name: "Sea", number: "1-3")]
        losses.removeAll()
        _ = CalibreBook(entry, number: 7, CalibreSpellings(), &losses)
        #expect(losses.list.first { $0.field == "series" }?.written == "Sea #1")
    }

    /// Names that differ only in case, in each column in which calibre has one spelling of them.
    private static let cases = """
        Title,Author,Publisher,Series,Bookshelves,Exclusive Shelf,Genres
        One,Élisabeth Roy,Tor,Sea,"sf, Old",My Shelf,Science Fiction
        Two,élisabeth roy,TOR,sea,"SF, old",my shelf,science fiction
        Three,"Ann Ek, ann ek",Orbit,,"new, NEW",,

        """

    @Test func `names that differ only in case get the first spelling, and the report says so`() async throws
    {
        try await LayoutTrip.importing(Array(Self.cases.utf8), as: "cases.csv") { store in
            let collector = ByteCollector()
            try LayoutExport(store, CalibreLibrary()).write(
                listing: { (write) throws(ETLError) in
                    try write { (piece) throws(ETLError) in collector.take(piece) }
                }, toFolder: library)
            let lines = String(decoding: collector.bytes, as: UTF8.self).split(separator: "\n").map {
                $0.split(separator: ",").prefix(3).joined(separator: ">")
            }
            for line in [
                "authors>élisabeth roy>Élisabeth Roy", "publisher>TOR>Tor", "series>sea>Sea #1",
                "shelves>SF>sf", "shelves>old>Old", "shelf>my shelf>My Shelf",
                "categories>science fiction>Science Fiction", "shelves>NEW>new",
            ] { #expect(lines.contains(line), "\(line) in \(lines)") }
        }
        let two = try #require(try Self.books(in: library).first { $0.contains("Two") })
        let text = try String(contentsOfFile: "\(library)/\(two)", encoding: .utf8)
        for name in ["Élisabeth Roy", ">Tor<", "\"Sea\"", ">sf<", ">Old<", "My Shelf", "Science Fiction"] {
            #expect(text.contains(name), "\(name)")
        }
    }

    @Test(.enabled(if: isThere, "needs calibre"))
    func `calibre has the spellings that the report names`() async throws {
        let before = try await LayoutTrip.importing(Array(Self.cases.utf8), as: "cases.csv") { store in
            try LayoutExport(store, CalibreLibrary()).write(toFolder: library)
            return try LayoutTrip.entries(store)
        }
        let after = try await restored()
        #expect(after.map(\.authors).prefix(2) == [["Élisabeth Roy"], ["Élisabeth Roy"]])
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
            try export.write(toFolder: library, unless: { (_) throws(ETLError) in true })
            #expect(folder.names == [])
            _ = try folder.write("mine", to: "other")
            let failure = #expect(throws: ETLError.self) {
                try export.write(toFolder: folder.file("other/library"))
            }
            #expect(failure?.kind == .cannotCreate)
            #expect(folder.names == ["other"])
            let full = #expect(throws: ETLError.self) { try export.write(toFolder: folder.path) }
            #expect(full?.message.contains("is not empty") == true)
            let file = #expect(throws: ETLError.self) { try export.write(toFolder: folder.file("other")) }
            #expect(file?.message.contains("is not a folder") == true)
            try export.write(toFolder: library + "/")
            #expect(folder.names.sorted() == ["library", "other"])
        }
    }
}
