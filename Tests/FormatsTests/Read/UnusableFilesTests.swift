import Books
import Formats
import Foundation
import System
import TestSupport
import Testing

@Suite
struct UnusableFilesTests {
    let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    @Test(arguments: [
        ("", "is empty"), ("\n\n \n", "contains no records"), ("\u{FEFF}", "contains no records"),
        ("PK\u{03}\u{04}xxxx", "ZIP archive"), ("BZh91AY", "bzip2"), ("%PDF-1.7", "PDF"),
        ("<!DOCTYPE html><html>", "web page"),
        ("  <HTML><body>", "web page"), ("{\"books\":[]}", "JSON"), ("[\n  {\"a\": 1}]", "JSON"),
        ("[]", "JSON"), ("<?xml version=\"1.0\"?>", "XML"),
        ("<books>\n<book>Dune, a novel</book>\n</books>", "XML"), ("<books><book/></books>", "XML"),
        ("SQLite format 3\u{0}", "SQLite"), ("ab\u{0}\u{1}\u{0}\u{0}", "is not text"),
        ("alpha,beta\n1,2\n", "No column"),
        (#"{"entities":{"Q42":{"title":"Q42","type":"item","id":"Q42","labels":{}}}}"#, "entity of Wikidata"),
        (#"{ "type": "item", "id": "Q571", "labels": { "en": "book" } }"#, "entity of Wikidata"),
        (#"{"type":"property","id":"P50","claims":{},"title":"Property:P50"}"#, "entity of Wikidata"),
        (
            #"{"name":"Ana Lee","links":[{"title":"A page"}],"type":{"key":"/type/author"}}"#,
            "author of Open Library"
        ),
    ])
    func `an unusable file is rejected with a fitting message`(content: String, words: String) async throws {
        let path = try files.write(content)
        let failure = await failure(of: ReadSettings(files: [path]))
        #expect(failure?.kind == .unusableInput)
        #expect(failure?.message.contains(words) == true, "\(String(describing: failure))")
        #expect(failure?.message.contains(path) == true)
        #expect(failure?.advice?.description.isEmpty == false)
    }

    @Test(
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image (PNG)"),
            ([0xFF, 0xD8, 0xFF, 0xE0, 0x41, 0x2C, 0x0A], "image (JPEG)"),
            (Array("GIF89a,\n".utf8), "image (GIF)"),
            (Array("GIF87a,\n".utf8), "image (GIF)"), (Array(#"{\rtf1\ansi Title,Author}"#.utf8), "RTF"),
            (tar("Title,Author\nDune,Frank Herbert\n"), "tar archive"),
        ] as [([UInt8], String)])
    func `pictures, documents and archives are named as such`(content: [UInt8], words: String) async throws {
        for bytes in [content, GzipBytes.stored(content)] {
            let failure = await failure(of: ReadSettings(files: [try files.write(bytes)]))
            #expect(failure?.kind == .unusableInput)
            #expect(failure?.message.contains(words) == true, "\(String(describing: failure))")
            #expect(failure?.advice?.description.isEmpty == false)
        }
    }

    @Test func `bytes that are no text are not shown as columns`() async throws {
        var generator = SeededGenerator(seed: 7)
        let bytes = (0..<4_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let failure = await failure(of: ReadSettings(files: [try files.write([0x41] + bytes)]))
        #expect(failure?.message.contains("is not text") == true, "\(String(describing: failure))")
    }

    @Test func `UNIMARC is named, in any syntax`() async throws {
        let fields: [MARCFixture.Field] = [
            ("001", "x"), ("010", "  $a9780306406157"), ("100", "  $a20000101d2000    m  y0engy0103    ba"),
            ("200", "1 $aReef$fAna Lee"), ("700", " 1$aLee$bAna"),
        ]
        let xml =
            "<?xml version=\"1.0\"?><collection xmlns=\"http://www.loc.gov/MARC21/slim\">\(MARCFixture.xml(fields))</collection>"
        for bytes in [MARCFixture.record(fields), Array(xml.utf8)] {
            let failure = await failure(of: ReadSettings(files: [try files.write(bytes)]))
            #expect(failure?.message.contains("UNIMARC") == true, "\(String(describing: failure))")
        }
        let marc = MARCFixture.record(MARCFixture.hyperion)
        #expect(await failure(of: ReadSettings(files: [try files.write(marc)])) == nil)
    }

    @Test(arguments: [
        ("books.xlsx", "spreadsheet"), ("books.ods", "spreadsheet"), ("books.zip", "ZIP archive"),
    ])
    func `an incomplete archive is called what the user calls it`(_ name: String, _ word: String) async throws
    {
        let path = try files.write(Array("PK\u{03}\u{04}xxxx".utf8), as: name)
        let failure = await failure(of: ReadSettings(files: [path]))
        #expect(failure?.message == "`\(path)` is a \(word) that is incomplete or damaged.")
    }

    /// An archive with one file, as `tar` writes it.
    private static func tar(_ text: String) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        for (place, words) in [
            (0, "Title,Author.csv"), (100, "0000644"), (124, "00000000041"), (148, "0000000"), (156, "0"),
            (257, "ustar"), (263, "00"),
        ] {
            header.replaceSubrange(place..<place + words.utf8.count, with: words.utf8)
        }
        let body = Array(text.utf8)
        return header + body + [UInt8](repeating: 0, count: 1_536 - body.count)
    }

    @Test func `a missing header is explained`() async throws {
        func explicit(_ content: String, _ header: TextOptions.Header) async throws -> ETLError? {
            var settings = ReadSettings(files: [try files.write(content)])
            settings.text.header = header
            return await failure(of: settings)
        }
        let none = try await explicit("Dune,Frank Herbert\n", .none)
        #expect(none?.message.contains("without a header") == true)
        #expect(none?.advice?.description.contains("title=#1") == true)
        var numbers = ReadSettings(files: [try files.write("Dune,Frank Herbert\n")])
        numbers.text.header = .none
        numbers.columns = try ColumnOptions(parsing: "title=#9")
        #expect(await failure(of: numbers)?.message.contains("fewer columns") == true)
        let list = try files.write("Title,Author\nDune,Frank Herbert\n")
        #expect(
            await failure(of: ReadSettings(files: [list], format: "isbn-list"))?.message.contains(
                "not in the format `isbn-list`") == true)
        #expect(try await explicit("Title\nDune\n", .record(99))?.message.contains("Record 99 of ") == true)
        let long = try await explicit(String(repeating: "x", count: 5 << 20), .searched)
        #expect(long?.message.contains("longer than") == true)
        let book = try await explicit("Dune,Frank Herbert\n", .searched)
        #expect(book?.advice?.refers(to: UserSetting.header("none")) == true)
    }

    @Test
    func `a file without usable columns is compared with the nearest format and its columns are listed`()
        async throws
    {
        let path = try files.write("My Rating,Binding,Publisher,Date Added\n4,Paperback,Tor,2020/01/01\n")
        let failure = await failure(of: ReadSettings(files: [path]))
        #expect(failure?.kind == .unusableInput)
        #expect(failure?.message.contains("generic") == true)
        #expect(failure?.message.contains("`Publisher`") == true)
        #expect(failure?.advice?.description.contains("columns") == true)
    }

    @Test func `a file that resembles no format is not compared with any`() async throws {
        let path = try files.write("alpha,beta\n1,2\n")
        let failure = await failure(of: ReadSettings(files: [path]))
        #expect(failure?.message.contains("(0%)") == false)
        #expect(failure?.message.contains("`alpha`") == true)
    }

    @Test(arguments: [("{\"a\": 1}", "isbn13=KEY"), ("<?xml version=\"1.0\"?><a/>", "ONIX")])
    func `other JSON and XML gets advice about supported formats`(content: String, words: String)
        async throws
    {
        let failure = await failure(of: ReadSettings(files: [try files.write(content)]))
        #expect(failure?.advice?.description.contains(words) == true)
    }

    @Test func `missing files, directories, pipes and unreadable files are distinguished`() async throws {
        let none = files.directory.appendingPathComponent("none.csv").path
        #expect(await failure(of: ReadSettings(files: [none]))?.kind == .missing)
        let directory = await failure(of: ReadSettings(files: [files.directory.path]))
        #expect(directory?.kind == .unusableInput)
        #expect(directory?.message.contains("is a folder") == true)
        let device = await failure(of: ReadSettings(files: ["/dev/null"]))
        #expect(device?.message.contains("pipe or a device") == true)
        #expect(await failure(of: ReadSettings(files: []))?.kind == .configuration)
    }

    @Test(.enabled(if: getuid() != 0, "needs a user other than root, who may access everything"))
    func `a file without read permission is a permission failure`() async throws {
        let path = try files.write("Title\nA\n")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        #expect(await failure(of: ReadSettings(files: [path]))?.kind == .permission)
    }

    @Test func `a header without records is valid and reported`() async throws {
        let path = try files.write(GoodreadsFixture.header31)
        let survey = try await ReadLibrary(ReadSettings(files: [path])).surveyLibrary()
        #expect(survey.recordCount == 0)
        #expect(survey.files.first?.remarks == ["`\(path)` contains a header but no records."])
        #expect(survey.newestDate == nil)
        #expect(try await Reading.of(ReadSettings(files: [path])).records.isEmpty)
    }

    @Test func `an unknown format lists the known ones`() async throws {
        let path = try files.write("Title\nA\n")
        let failure = await failure(of: ReadSettings(files: [path], format: "goodread"))
        #expect(failure?.kind == .configuration)
        let names = LibraryFormats.all.map(\.name)
        #expect(names.count > 2)
        #expect(failure?.advice == "Formats are auto, \(names.joined(separator: ", ")).")
    }

    @Test func `a million columns or one very long header line end in a message`() async throws {
        let wide = try files.write(String(repeating: "a,", count: 1_000_000), as: "wide.csv")
        #expect(await failure(of: ReadSettings(files: [wide]))?.kind == .unusableInput)
        let long = try files.write(String(repeating: "a", count: 5_000_000), as: "long.csv")
        #expect(await failure(of: ReadSettings(files: [long]))?.kind == .unusableInput)
    }
}
