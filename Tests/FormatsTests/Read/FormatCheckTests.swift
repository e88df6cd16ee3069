import System
import TestSupport
import Testing

@testable import Books
@testable import Formats

/// A file in another format than the one that was named.
@Suite struct FormatCheckTests {
    private static let samples = [
        "goodreads/etl_2024.csv", "librarything/etl_2014.csv", "librarything/etl_2015.json",
        "librarything/etl_49_columns.tsv", "storygraph/etl_storygraph.csv", "calibre/etl_calibre.csv",
        "other/etl_betterworldbooks.psv", "other/etl_book_catalogue.csv", "other/etl_bookbuddy.csv",
        "other/etl_bookwyrm.csv", "other/etl_generic.csv", "other/etl_hardcover.csv",
        "other/etl_inventaire.csv",
        "other/etl_isbns.txt", "other/etl_libib.csv", "other/etl_openreads.csv",
        "openlibrary-reading-log/etl_reading_log.csv", "marcxml/etl/list.mrc", "marcxml/etl/list.xml",
        "marcxml/etl/list.marc.json", "onix/etl_onix3.xml", "packed/etl_books.json", "packed/etl_books.xlsx",
    ]

    private func file(
        _ path: String, _ format: String? = nil, expecting formats: [String] = []
    ) throws(ETLError) -> LibraryFile {
        var settings = ReadSettings(files: [path], format: format)
        settings.expectedFormats = formats
        return try LibraryFile(path, index: 0, settings: settings)
    }

    private func failure(_ path: String, _ format: String?, expecting formats: [String] = []) -> ETLError? {
        do throws(ETLError) {
            _ = try file(path, format, expecting: formats)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: LibraryFormats.all.map(\.name))
    func `a wrong format is refused, and the right one named`(name: String) throws {
        let wanted = try LibraryFormats.named(name)
        for sample in Self.samples {
            let path = TestFiles.path(sample)
            let detected = try file(path)
            let failure = failure(path, name)
            let isSame = detected.format.name == name || detected.format.name.hasPrefix(name + "-")
            guard !isSame else {
                #expect(failure == nil, "\(sample): \(failure?.message ?? "")")
                continue
            }
            // Any table can be read by the names of its columns, and a table of no program in any way.
            let isTable = detected.text != nil && wanted.score(detected.header) >= LibraryFormats.threshold
            if isTable || wanted is Generic || detected.format is Generic, failure == nil,
                !(wanted is any StructuredFormat)
            {
                continue
            }
            #expect(failure?.kind == .unusableInput, "\(sample)")
            let words = "`\(detected.format.name)`"
            #expect(failure?.message.contains(words) == true, "\(sample): \(failure?.message ?? "")")
        }
    }

    @Test(arguments: ["bibtex", "ris", "marc", "marc-json", "librarything-json", "bookwyrm-archive"])
    func `a file without a single record of the named format is refused`(name: String) throws {
        let files = try WrittenFiles()
        let failure = failure(try files.write("Nothing of interest.\n"), name)
        #expect(failure?.message.contains("is not in the format `\(name)`") == true)
    }

    @Test func `a named format is read even if nothing shows that the file has it`() throws {
        let files = try WrittenFiles()
        let path = try files.write("My books, in no order.\n\n@book{a, title = {Emma}}\n")
        #expect(failure(path, nil) != nil)
        #expect(try file(path, "bibtex").format.name == "bibtex")
    }

    @Test func `a pipeline reads the formats that it is made for, and others if they are named`() throws {
        let path = TestFiles.path("librarything/etl_2014.csv")
        let failure = failure(path, nil, expecting: ["goodreads", "storygraph"])
        #expect(
            failure?.message == """
                `\(path)` looks like the format `librarything`, but the pipeline is made for `goodreads`, `storygraph`.
                """)
        #expect(failure?.advice?.refers(to: UserSetting.format) == true)
        #expect(try file(path, "librarything", expecting: ["goodreads"]).format.name == "librarything")
        #expect(try file(path, expecting: ["librarything"]).format.name == "librarything")
    }
}
