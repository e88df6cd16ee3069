import Foundation
import TestSupport
import Testing

/// `etl errors` for one file and for several.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ErrorsCommandTests: ImportsByTool {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `with several files a row is listed with its file`() throws {
        let text = "Title,Author\nReef,Ana\n,Bo\n"
        let files = try ["a.csv", "b.csv"].map { try folder.write(text.replacing("Reef", with: $0), to: $0) }
        #expect(try BuiltTool.ending(["import", "--db", store] + files).status == 0)
        let lines = try BuiltTool.ending(["errors", "--db", store]).output.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasPrefix("file\t"))
        #expect(zip(lines.dropFirst(), files).allSatisfy { $0.hasPrefix("\($1)\t") })
    }

    @Test func `with one file a row needs no file name`() throws {
        #expect(try importing("Title,Author\nReef,Ana\n,Bo\n").status == 0)
        let output = try BuiltTool.ending(["errors", "--db", store]).output
        #expect(output.hasPrefix("row") && !output.contains("export.csv"))
    }

    @Test func `a row is listed with its title and author`() throws {
        let text = "Title,Author,ISBN\nReef,Ana,9780441172718\n,Bo,\n"
        #expect(try importing(text).status == 0)
        let output = try BuiltTool.ending(["errors", "--warnings", "--db", store]).output
        #expect(output.contains("Reef, Ana") && output.contains("\tBo\t"), "\(output)")
    }

    @Test func `a list guarded for spreadsheets is read back unchanged`() throws {
        let text = "Title,Author,Publisher,=x\n,=cmd,\"\"\"=1\",' =2\n"
        #expect(try importing(text, "--job", "spring").status == 0)
        let plain = try BuiltTool.ending(["errors", "--format", "csv", "--db", store]).output
        #expect(!plain.contains("'=") && !plain.contains("csv_safe"))
        let safe = try BuiltTool.ending(["errors", "--format", "csv", "--csv-safe", "--db", store]).output
        let start =
            "Title,Author,Publisher,'=x,_etl_reason,_etl_detail,_etl_row,_etl_csv_safe\n,'=cmd,\"'\"\"=1\",'' =2,"
        #expect(safe.hasPrefix(start), "\(safe)")
        let corrected = try folder.write(
            safe.replacing("\n,'=cmd", with: "\nReef,'=cmd"), to: "corrected.csv")
        let ending = try BuiltTool.ending([
            "import", "--rejects", corrected, "--job", "spring", "--db", store,
        ])
        #expect(ending.status == 0, "\(ending.errors)")
        let book = try BuiltTool.ending(["export", "--db", store]).output
        #expect(book.contains(#""authors":["=cmd"]"#) && book.contains(#""publisher":"\"=1""#), "\(book)")
        let cells = try BuiltTool.ending(["export", "--what", "all", "--db", store]).output
        #expect(cells.contains(#""=x":"' =2""#), "\(cells)")
    }
}
