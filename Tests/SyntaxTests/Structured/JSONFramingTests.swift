import Formats
import Syntax
import System
import TestSupport
import Testing

/// LibraryThing records. MARC records, which can be nested, have their own suite.
@Suite struct JSONFramingTests {
    /// Arrangement of books in a file.
    enum Layout: CaseIterable {
        case keyed, keyedInOneLine, keyedBySmallNumbers, list, listInOneLine, lines, pages

        func file(_ books: [String]) -> String {
            let keyed = { (first: Int) in
                books.enumerated().map { "\"\(first + $0.offset)\":\($0.element)" }
            }
            return switch self {
            case .keyed: "{\(keyed(105_446).joined(separator: ",\n"))}\n"
            case .keyedInOneLine: "{\(keyed(105_446).joined(separator: ","))}"
            case .keyedBySmallNumbers: "{\(keyed(11).joined(separator: ","))}"
            case .list: "[\n\(books.joined(separator: ",\n  "))\n]\n"
            case .listInOneLine: "[\(books.joined(separator: ","))]"
            case .lines: books.map { $0 + "\n" }.joined()
            case .pages: keyed(105_446).map { "{\($0)}\n" }.joined()
            }
        }
    }

    private func book(_ number: Int) -> String {
        """
        {"books_id":"\(number)","title":"Reef \\"[{\\" \(number)","sortcharacter":"1",\
        "authors":[{"lf":"Doe, Jane","fl":"Jane Doe"},{"fl":"Bo Ek","role":"Illustrator"}],"tags":["a","b"],\
        "isbn":{"0":"1607066920","2":"9781607066927"},"lcc":[],"ddc":{"code":["741.5"],"wording":["Arts"]},\
        "review":"Good.\\nBad.","rating":4.5,"workcode":"7","entrydate":"2014-01-21"}
        """
    }

    private func records(_ text: String) throws -> [StreamedRecord] {
        try StreamedRecord.all(
            of: LibraryThingStream(PiecedBytes(text.utf8), limits: .standard, from: .start)
        ).records
    }

    /// Numbers of the readable books.
    private func numbers(_ found: [StreamedRecord]) -> [String] {
        found.filter { $0.flags.isDisjoint(with: .unreadable) }.compactMap(\.cells.first)
    }

    @Test(arguments: Layout.allCases)
    func `a damaged book is counted once, and the others are read`(layout: Layout) throws {
        let whole = Array(book(0).utf8)
        let marks = Array("{}[]\",:\\".utf8)
        var damages = whole.indices.filter { marks.contains(whole[$0]) }.map { at in
            whole[..<at] + whole[(at + 1)...]
        }
        // Shorter ones are cut within the first key and leave nothing of the book.
        damages += (12..<whole.count).map { whole[..<$0] }
        for (index, damage) in damages.enumerated() {
            var books = (1...2).map(book)
            books.insert(String(decoding: damage, as: UTF8.self), at: index % 3)
            let file = layout.file(books)
            let found = try records(file)
            #expect(numbers(found).filter { $0 == "1" || $0 == "2" } == ["1", "2"], "\(file)")
            #expect(found.count == 3, "\(file)")
        }
    }

    @Test(arguments: Layout.allCases)
    func `a line break within a string loses nothing`(layout: Layout) throws {
        let broken = book(0).replacing("Good.\\n", with: "Good,\n  \"\n".replacing("\"", with: "\\\""))
        for place in 0...2 {
            var books = (1...2).map(book)
            books.insert(broken, at: place)
            let found = try records(layout.file(books))
            #expect(found.map(\.flags.rawValue).reduce(0, |) == RecordFlags.bareControls.rawValue)
            #expect(found.count == 3)
            #expect(Set(numbers(found)) == ["0", "1", "2"])
        }
    }

    @Test(arguments: Layout.allCases)
    func `damaged books are the same however the input is cut`(layout: Layout) throws {
        let bytes = Array(layout.file((1...3).map(book)).utf8)
        let violations = try StreamContract.violationsOfDamagedJSON(bytes, seed: 1_607) {
            LibraryThingStream($0, limits: .standard, from: $1, blockBytes: $2)
        }
        #expect(violations == [])
    }

    @Test func `content before the books costs none of them`() throws {
        let found = try records("{\"title\":\"My library\",\"books\":[\(book(1)),\(book(2))]}")
        #expect(numbers(found) == ["1", "2"])
    }
}
