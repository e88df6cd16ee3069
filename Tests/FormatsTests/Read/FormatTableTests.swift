import Formats
import Foundation
import TestSupport
import Testing

/// The tables in `docs/formats.md` that say which column is which field. They are made from the formats.
@Suite struct FormatTableTests {
    private static let begin = "<!-- columns: written by FormatTableTests -->\n"
    private static let end = "<!-- end of columns -->\n"

    /// The section of the document.
    private static var tables: String {
        LibraryFormats.all.map { format in
            let mapped = format.described.filter { $0.field != nil }
            let others = format.described.filter { $0.field == nil && !$0.isCombined }.flatMap(\.names)
            let combined = format.described.filter(\.isCombined).flatMap(\.names)
            var text = "### `\(format.name)`\n\n| column | field |\n| --- | --- |\n"
            for column in mapped {
                let names = column.names.map { "`\($0.replacing("|", with: "\\|"))`" }.joined(separator: ", ")
                text += "| \(names) | `\(column.field.map { String(describing: $0) } ?? "")` |\n"
            }
            for (words, names) in [
                ("Read together with other columns", combined), ("Kept, but not interpreted", others),
            ] where !names.isEmpty {
                text += "\n\(words): \(names.map { "`\($0)`" }.joined(separator: ", ")).\n"
            }
            return text + "\n"
        }.joined()
    }

    @Test func `the documentation says which column is which field`() throws {
        let path = URL(fileURLWithPath: "\(ProjectFiles.root)/docs/formats.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        let start = try #require(text.range(of: Self.begin)).upperBound
        let end = try #require(text.range(of: Self.end)).lowerBound
        if ProcessInfo.processInfo.environment["ETL_UPDATE_SNAPSHOTS"] != nil {
            try (text[..<start] + "\n" + Self.tables + text[end...]).write(
                to: path, atomically: true, encoding: .utf8)
            return
        }
        #expect(text[start..<end] == "\n" + Self.tables)
    }

    @Test func `every format describes its columns`() {
        for format in LibraryFormats.all { #expect(!format.described.isEmpty, "\(format.name)") }
    }
}
