import Books
import Formats
import Syntax
import System
import TestSupport
import Testing

/// Inputs that are not plain files: they are read as the same table would be.
@Suite struct PackedInputTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private static let table =
        "Title,Author,ISBN,Date Read\nReef,Ana Lee,9780306406157,2020-01-02\nTide,Bo Ek,,\n"
    private static let rows = [
        ["Reef", "Ana Lee", "9780306406157", "2020-01-02"], ["Tide", "Bo Ek", "", ""],
    ]
    private static let fields: [LibraryField] = [.title, .author, .isbn13, .dateRead]

    /// Reads a file, archives expanded.
    private func read(_ path: String) throws -> [[String]] {
        var settings = ReadSettings(files: [path])
        try settings.expandArchives()
        var rows: [[String]] = []
        for file in settings.files { rows += try RowFacts.of(file, Self.fields).rows }
        return rows
    }

    @Test func `a sheet is read like its table`() throws {
        let cells = [["Title", "Author", "ISBN", "Date Read"], ["Reef", "Ana Lee"], ["Tide", "Bo Ek"]].map(
            SheetDocument.row)
        let values = "<c><v>9.780306406157E12</v></c><c s=\"1\"><v>43832</v></c></row>"
        let rows = cells[0] + cells[1].replacing("</row>", with: values) + cells[2]
        let excel = try files.write(SheetDocument.excel([("Books", rows)], formats: ["d/m/yy"]), as: "a.xlsx")
        #expect(try read(excel) == Self.rows)
    }

    @Test func `each file of an archive that is a library is read, and the others are named`() throws {
        let archive = ZipBytes.archive(texts: [
            ("goodreads.csv", Self.table), ("readme.txt", "Hello, world.\nNothing here."),
            ("two/b.tsv", Self.table.replacing(",", with: "\t")),
        ])
        let path = try files.write(archive, as: "a.zip")
        var settings = ReadSettings(files: [path])
        try settings.expandArchives()
        #expect(settings.files == ["\(path)/goodreads.csv", "\(path)/two/b.tsv"])
        #expect(settings.setAside.count == 1)
        #expect("\(settings.setAside[0])".contains("readme.txt"))
        #expect(try read(path) == Self.rows + Self.rows)
    }

    @Test func `each sheet that is a library is read`() throws {
        let books = SheetDocument.row(["Title", "Author"]) + SheetDocument.row(["Reef", "Ana Lee"])
        let path = try files.write(
            SheetDocument.excel([
                ("Read", books), ("Empty", ""), ("Prices", SheetDocument.row(["1", "2"])), ("To read", books),
            ]), as: "a.xlsx")
        var settings = ReadSettings(files: [path])
        try settings.expandArchives()
        #expect(settings.files == ["\(path)/Read", "\(path)/To read"])
    }

    @Test func `an archive without a library says what it contains`() throws {
        let path = try files.write(
            ZipBytes.archive(texts: [("a.txt", "one two"), ("b.txt", "three")]), as: "a.zip")
        var settings = ReadSettings(files: [path])
        #expect(throws: ETLError.self) { try settings.expandArchives() }
    }

    @Test(arguments: [
        "[\(PackedInputTests.objects)]", "{\"books\": [\(PackedInputTests.objects)], \"count\": 2}",
        PackedInputTests.objects.replacing(", {", with: "\n{"),
        "{\"1\": \(PackedInputTests.objects.replacing(", {", with: ", \"2\": {"))}",
        "\u{FEFF}[\n  \(PackedInputTests.objects)\n]\n",
    ])
    func `objects are records wherever they are`(_ text: String) throws {
        let path = try files.write(text, as: "a.json")
        #expect(try read(path) == Self.rows)
    }

    static let objects = """
        {"title": "Reef", "author": "Ana Lee", "isbn": "9780306406157", "date_read": "2020-01-02", "x": {"y": [1]}}, \
        {"title": "Tide", "author": "Bo Ek", "isbn": null}
        """

    @Test func `lists and objects in an object become cells`() throws {
        let text = """
            {"title": "Reef", "authors": [{"name": "Ana Lee"}, {"name": "Bo Ek", "role": "Translator"}], "genres": ["Fantasy", "Sea"],
            "series": {"name": "Tides", "number": 2}}
            """
        let path = try files.write(text, as: "a.json")
        #expect(try RowFacts.people(path) == ["Reef: Ana Lee (author), Bo Ek (translator)"])
        #expect(try RowFacts.of(path, [.subjects, .series]).rows == [["Fantasy; Sea", "Tides #2"]])
    }

    @Test func `a line that is not JSON is rejected and damages no other`() throws {
        let good = { (title: String) in "{\"title\": \"\(title)\", \"isbn\": \"\"}" }
        let path = try files.write(
            [good("A"), "{\"title\": \"B", good("C"), "{oops}", good("D")].joined(separator: "\n"),
            as: "a.ndjson")
        let facts = try RowFacts.of(path, [.title])
        #expect(facts.rows.flatMap { $0 }.filter { !$0.isEmpty } == ["A", "C", "D"])
        #expect(facts.rows.count == 3)
    }

    @Test func `reading resumes in the middle of every kind of input`() async throws {
        let table = GoodreadsFixture.library(records: 60)
        let lines = Array(table.utf8)
        let rows = (0..<60).map { SheetDocument.row(["\($0)", "Title \($0)", "Author"]) }.joined()
        let inputs: [(String, [UInt8])] = [
            ("a.csv.gz", GzipBytes.stored(lines)), ("a.zip", ZipBytes.archive([("a.csv", lines)])),
            ("a.xlsx", SheetDocument.excel([("S", SheetDocument.row(["id", "title", "author"]) + rows)])),
            (
                "a.json",
                Array(
                    (0..<60).map { "{\"title\": \"T \($0)\", \"author\": \"A, \\\"B\\\"\"}" }.joined(
                        separator: "\n"
                    ).utf8)
            ),
        ]
        for (name, bytes) in inputs {
            var settings = ReadSettings(files: [try files.write(bytes, as: name)], batchRecords: 7)
            try settings.expandArchives()
            let whole = try await Reading.of(settings)
            #expect(whole.ends.count > 3, "\(name)")
            for (index, end) in whole.ends.dropLast().enumerated() {
                let rest = try await Reading.of(settings, from: end)
                #expect(rest.ends == Array(whole.ends[(index + 1)...]), "\(name)")
                #expect(rest.records == Array(whole.records.suffix(rest.records.count)), "\(name)")
            }
        }
    }
}
