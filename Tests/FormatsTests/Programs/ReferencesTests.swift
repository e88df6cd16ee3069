import Books
import Bytes
import Formats
import System
import TestSupport
import Testing

@testable import Syntax

/// Files of reference managers.
@Suite struct ReferencesTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private static let fields: [LibraryField] = [
        .title, .isbn13, .publisher, .yearPublished, .pageCount, .language, .series, .seriesNumber, .shelves,
        .privateNotes,
    ]

    @Test func `a RIS file is read, also from Zotero and EndNote`() async throws {
        let text = """
            \u{FEFF}TY  - BOOK\r
            ID  - leguin1968\r
            TI  - A Wizard of Earthsea\r
            AU  - Le Guin, Ursula K.\r
            A4  - Ek, Bo\r
            PY  - 1968///\r
            DA  - 1968/10/05\r
            PB  - Parnassus\r
            SN  - 978-0-306-40615-7\r
            SP  - 205\r
            LA  - en\r
            T3  - Earthsea\r
            M1  - 1\r
            KW  - magic\r
            KW  - islands\r
            N1  - fine\r
              and more\r
            ER  - \r
            \r
            TY  - JOUR\r
            TI  - An Article\r
            ER  - \r
            TY - BOOK\r
            T1 - Reef\r
            A1 - Lee, Ana\r
            Y1 - 1999///\r
            ER -
            """
        let path = try files.write(text, as: "books.ris")
        let facts = try RowFacts.of(path, Self.fields)
        #expect(facts.formatName == "ris")
        #expect(
            facts.rows == [
                [
                    "A Wizard of Earthsea", "978-0-306-40615-7", "Parnassus", "1968-10-05", "205", "en",
                    "Earthsea",
                    "1", "magic, islands", "fine and more",
                ],
                ["Reef", "", "", "1999", "", "", "", "", "", ""],
            ])
        #expect(facts.rejects == ["not_a_book"])
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(
            reading.fact(2) == ["Ursula K. Le Guin as author;Bo Ek as translator", "Ana Lee as author"])
    }

    @Test func `a BibTeX file is read, with TeX's letters and braces`() async throws {
        let text = #"""
            % my books, me@example.org
            @comment{not a book}
            @book{leguin1968,
              title = {{A Wizard of {Earthsea}}},
              author = {Le Guin, Ursula K. and M{\"u}ller, Zo{\"e} and {Lee and Sons}},
              translator = "Ek, Bo",
              publisher = {Parnassus \& Co},
              year = 1968, month = {10}, day = {5},
              series = {Earthsea}, number = {1}, isbn = {9780306406157},
              pagetotal = {205}, language = {en},
              keywords = {magic, islands},
              note = {50\% \textasciitilde{} fine},
            }
            @ARTICLE{x, title = {An Article}}
            @book{open, title = {Cut
            """#
        let path = try files.write(text, as: "books.bib")
        let facts = try RowFacts.of(path, Self.fields)
        #expect(facts.formatName == "bibtex")
        #expect(
            facts.rows == [
                [
                    "A Wizard of Earthsea", "9780306406157", "Parnassus & Co", "1968-10-05", "205", "en",
                    "Earthsea", "1", "magic, islands", "50% ~ fine",
                ]
            ])
        #expect(facts.rejects == ["not_a_book", "record_unreadable"])
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(
            reading.fact(2) == [
                "Ursula K. Le Guin as author;Zoë Müller as author;Lee and Sons as author;Bo Ek as translator"
            ])
    }

    @Test func `records are found wherever the bytes are cut`() throws {
        let ris = Array("TY  - BOOK\nTI  - One\nER  - \n\nTY  - BOOK\nTI  - Two\nER  -".utf8)
        let bib = Array("junk @ x\n@book{a, title = {One}}\n@book{b, title = {T\\{wo}}".utf8)
        for size in 1...20 {
            #expect(try Self.count(ris, RISFraming(), size) == 2)
            #expect(try Self.count(bib, BibTeXFraming(), size) == 2)
        }
    }

    private static func count<Framing: RecordFraming>(
        _ bytes: [UInt8], _ framing: Framing, _ size: Int
    ) throws -> Int {
        var frames = FrameReader(
            PiecewiseBytes(bytes, pieces: [size]), framing: framing, limit: 1_000, from: .start,
            blockBytes: 64)
        var arena = Arena()
        var count = 0
        while let record = try frames.next(arena: &arena) {
            #expect(record.flags == [])
            count += 1
        }
        return count
    }
}
