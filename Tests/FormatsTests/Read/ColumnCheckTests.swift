import Queries
import System
import Testing

@testable import Books
@testable import Formats

/// Files whose columns or rows are not as their program writes them.
@Suite
struct ColumnCheckTests {
    let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private func warnings(_ text: String, _ name: String = "library.csv") async throws -> [String] {
        let settings = ReadSettings(files: [try files.write(text, as: name)])
        let warnings = try await ReadLibrary(settings).surveyLibrary().files[0].warnings.map(\.description)
        #expect(try Inspection(settings).warnings.map(\.description) == warnings, "inspect says the same")
        return warnings
    }

    private func goodreads(_ header: String) -> String {
        ([header] + (1...3).map { GoodreadsFixture.row($0) }).joined(separator: "\n") + "\n"
    }

    @Test func `a renamed column is told first, with the name it has now`() async throws {
        let renamed = GoodreadsFixture.header24.replacing("My Rating", with: "Your Score")
        let warnings = try await warnings(goodreads(renamed))
        let first = try #require(warnings.first)
        #expect(first.contains("no column `my rating`") && first.contains("`Your Score`"))
        #expect(first.contains("rating=Your Score"))
    }

    @Test func `a lost column is told, an optional one is not`() async throws {
        let lost = GoodreadsFixture.header24.replacing(",Date Read", with: "")
        #expect(try await warnings(lost + "\n").contains { $0.contains("no column `date read`") })
        #expect(try await warnings(goodreads(GoodreadsFixture.header24)).isEmpty)
        let without = GoodreadsFixture.header24.replacing("Average Rating,", with: "")
        #expect(try await !warnings(without + "\n").contains { $0.contains("column") })
    }

    @Test func `a column that the format does not know is named`() async throws {
        let text = goodreads(GoodreadsFixture.header24).replacing("\n", with: ",x\n")
        let more = text.replacing("Owned Copies,x", with: "Owned Copies,Mood")
        let warnings = try await warnings(more)
        #expect(warnings.contains { $0.contains("does not know column `Mood`") }, "\(warnings)")
    }

    @Test func `a known layout without its header is recognized by its columns`() throws {
        let rows = (1...5).map { number in
            "10\(number),Quiet Book \(number),Ana Lee,\"Lee, Ana\",,\"=\"\"\(number == 1 ? "0306406152" : "")\"\"\","
                + "\"=\"\"\"\"\",\(number),3.81,Small Press,Paperback,210,2001,1999,2020/01/0\(number),2019/12/0\(number),"
                + ",,read,,,,1,0\n"
        }
        let path = try files.write(rows.joined())
        let facts = try RowFacts.of(path, [.title, .rating, .exclusiveShelf])
        #expect(facts.formatName == "goodreads")
        #expect(facts.rows.first == ["Quiet Book 1", "1", "read"] && facts.rows.count == 5)
        let warnings = try Inspection(ReadSettings(files: [path])).warnings
        #expect(warnings.first?.description.contains("has no header") == true)
        // Other tables with as many columns are not taken for it.
        let others = (1...5).map { row in (1...24).map { "cell \(row) \($0)" }.joined(separator: ",") }
        let other = try files.write(others.joined(separator: "\n"), as: "other.csv")
        #expect(throws: ETLError.self) {
            try LibraryFile(other, index: 0, settings: ReadSettings(files: [other]))
        }
    }

    @Test func `rows that were encoded twice are read as what they hold`() async throws {
        let text = #"""
            Book Id,Title,Author,ISBN,ISBN13,My Rating,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review
            "11,""A Walk Round Town, Vol. 1"",Ana Lee,""=""""0306406152"""""",""=""""9780306406157"""""",4,2024/08/09,2024/08/01,""comics, fiction"",read,""She said """"yes"""" twice"""
            "12,The Well,Bo Ek,,,0,,2024/08/02,to-read,to-read,"

            """#
        let path = try files.write(text)
        let facts = try RowFacts.of(path, [.sourceID, .title, .rating, .shelves, .review])
        #expect(
            facts.rows == [
                ["11", "A Walk Round Town, Vol. 1", "4", "comics, fiction", "She said \"yes\" twice"],
                ["12", "The Well", "0", "to-read", ""],
            ])
        #expect(facts.rejects.isEmpty)
        let survey = try await ReadLibrary(ReadSettings(files: [path])).surveyLibrary()
        #expect(survey.recordCount == 2)
    }

    @Test func `a backslash before a quote escapes it`() throws {
        let text = #"""
            "Title","Author"
            "Foo \"Bar\" Baz","Ana Lee"
            "naka , \"who's there?\" kebab","Bo Ek"
            "Plain","Cy Roe"

            """#
        let path = try files.write(text)
        let expected = [["Foo \"Bar\" Baz"], ["naka , \"who's there?\" kebab"], ["Plain"]]
        #expect(try RowFacts.of(path, [.title]).rows == expected)
        var options = TextOptions()
        let isKnown = options.take("quote", "backslash")
        #expect(isKnown && options.words.contains { $0.key == "quote" && $0.word == "backslash" })
        let chosen = options
        #expect(try RowFacts.of(path, [.title]) { $0.text = chosen }.rows == expected)
        // A backslash at the end of a cell is one.
        let plain = try files.write("Title,Author\n\"C:\\\",Ana\n\"Dune\",Bo\n\"Emma\",Cy\n", as: "plain.csv")
        #expect(try RowFacts.of(plain, [.title]).rows == [["C:\\"], ["Dune"], ["Emma"]])
    }

    @Test func `a resumed run reads such files from where it stopped`() async throws {
        let escaped = (1...40).map { "\"Book \\\"\($0)\\\"\",\"Ana Lee\"\n" }.joined()
        let wrapped = (1...40).map { "\"Book \($0),\"\"Lee, Ana\"\"\"\n" }.joined()
        for text in ["\"Title\",\"Author\"\n" + escaped, "Title,Author\n" + wrapped] {
            let settings = ReadSettings(files: [try files.write(text)], batchRecords: 7)
            let whole = try await Reading.of(settings)
            #expect(whole.titles.count == 40)
            let first = try await Reading.of(settings, batches: 2)
            let rest = try await Reading.of(settings, from: try #require(first.ends.last))
            #expect(first.titles + rest.titles == whole.titles)
        }
    }

    @Test func `links behind names are no part of them`() throws {
        let path = try files.write(
            """
            Name,Author
            Babel,"R. F. Kuang (https://www.notion.so/R-F-Kuang-0a1b2c3d?pvs=21)"
            Good Omens,"Neil Gaiman (https://www.notion.so/a1?pvs=21), Terry Pratchett (https://www.notion.so/b2?pvs=21)"
            Dune,Frank Herbert (../Authors/Frank%20Herbert%20123.md)
            Plain (2nd ed.),Ana Lee

            """)
        #expect(
            try RowFacts.people(path) == [
                "Babel: R. F. Kuang (author)",
                "Good Omens: Neil Gaiman (author), Terry Pratchett (contributor)",
                "Dune: Frank Herbert (author)", "Plain (2nd ed.): Ana Lee (author)",
            ])
    }
}
