import Foundation
import TestSupport
import Testing

@testable import Books
@testable import Formats

/// The table in `docs/conversions.md` of the fields that each layout cannot hold. It is made from the layouts.
@Suite struct LayoutTableTests {
    private static let begin = "<!-- fields: written by LayoutTableTests -->\n"
    private static let end = "<!-- end of fields -->\n"

    /// Entries that have something in every field that not every program can say.
    private static var entries: [LibraryEntry] {
        let full = ExportLayoutTests.fullEntry()
        var own = full
        (own[.shelf], own.rating, own.format) = ("My Shelf", 4.5, .hardcover)
        own.people = [.init(name: "Doe, Jane & Co", role: .author), .init(name: "Jean B", role: .editor)]
        own.subjects = ["Fiction, general"]
        var paused = full
        paused[.shelf] = "paused"
        return [full, own, paused]
    }

    /// The fields that a layout has a place for, but not for every value.
    private static func partial(_ layout: any ExportLayout) -> Set<String> {
        var losses = EntryLosses()
        let writer = layout.makeWriter()
        for entry in entries { writer.survey(entry, losses: &losses) }
        return Set(losses.list.map(\.field)).intersection(layout.fields.map(\.rawValue))
    }

    private static func list(_ names: some Sequence<EntryField>) -> String {
        names.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    }

    private static var table: String {
        "| format | not at all | not every value |\n| --- | --- | --- |\n"
            + LibraryFormats.layouts.map { layout in
                let partial = partial(layout)
                let missing = EntryField.allCases.filter { !layout.fields.contains($0) }
                let some = EntryField.allCases.filter { partial.contains($0.rawValue) }
                return "| `\(layout.name)` | \(list(missing)) | \(list(some)) |\n"
            }.joined()
    }

    @Test func `the documentation says which fields each format cannot hold`() throws {
        let path = URL(fileURLWithPath: "\(ProjectFiles.root)/docs/conversions.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        let start = try #require(text.range(of: Self.begin)).upperBound
        let end = try #require(text.range(of: Self.end)).lowerBound
        if ProcessInfo.processInfo.environment["ETL_UPDATE_SNAPSHOTS"] != nil {
            try (text[..<start] + "\n" + Self.table + "\n" + text[end...]).write(
                to: path, atomically: true, encoding: .utf8)
            return
        }
        #expect(text[start..<end] == "\n" + Self.table + "\n")
    }

    @Test func `every format has a row among the programs`() throws {
        let text = try String(contentsOfFile: "\(ProjectFiles.root)/docs/conversions.md", encoding: .utf8)
        for layout in LibraryFormats.layouts {
            #expect(text.contains("\n| `\(layout.name)` | "), "\(layout.name)")
        }
    }
}
