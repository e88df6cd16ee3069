import Foundation
import TestSupport
import Testing

@testable import Database
@testable import Store

/// `docs/store.md` describes the schema: no table or column is missing, and none is invented.
@Suite struct DocumentedSchemaTests {
    /// A column with its SQLite type; nil if the page does not name one.
    private struct Column: Hashable {
        var name: String
        var type: String?
    }

    /// The page, split at its headings.
    private let sections: [(heading: String, lines: [Substring])]

    init() throws {
        let page = try String(contentsOfFile: "\(ProjectFiles.root)/docs/store.md", encoding: .utf8)
        var sections: [(heading: String, lines: [Substring])] = []
        for line in page.split(separator: "\n") {
            if line.hasPrefix("##") {
                sections.append((line.drop { $0 == "#" || $0 == " " }.description, []))
            } else if !sections.isEmpty {
                sections[sections.count - 1].lines.append(line)
            }
        }
        self.sections = sections
    }

    /// The cells of the rows of a section's table that begin with a name.
    private func rows(_ lines: [Substring]) -> [[Substring]] {
        lines.filter { $0.hasPrefix("| `") }.map { line in
            // A bar in a cell is escaped, and only cells after the ones used here have any.
            line.dropFirst().split(separator: "|", omittingEmptySubsequences: false)
        }
    }

    private func names(_ cell: Substring) -> [String] {
        cell.matches(of: #/`([a-z_]+)`/#).map { String($0.1) }
    }

    /// The tables that have a section, with their columns.
    private var documented: [String: [Column]] {
        var tables: [String: [Column]] = [:]
        for section in sections where section.lines.contains("| column | type | meaning |") {
            tables[section.heading] = rows(section.lines).flatMap { row -> [Column] in
                let names = names(row[0])
                let types = row[1].matches(of: #/[A-Z]+/#).map { String($0.0) }
                return names.enumerated().map { index, name in
                    Column(name: name, type: types.count == names.count ? types[index] : types.first)
                }
            }
        }
        return tables
    }

    /// The tables that are only named.
    private var internalTables: [String] {
        sections.first { $0.heading == "Internal tables" }.map { rows($0.lines).flatMap { names($0[0]) } }
            ?? []
    }

    /// The tables of a new store.
    private func schema() throws -> [String: [Column]] {
        let folder = try TemporaryFolder()
        let connection = try StoreFile.openForWriting(folder.file("library.sqlite"))
        let statement = try connection.prepare(
            """
            SELECT t.name, c.name, c.type FROM sqlite_schema t, pragma_table_info(t.name) c
            WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            """)
        var tables: [String: [Column]] = [:]
        while try statement.next() {
            tables[statement.string(0), default: []].append(
                Column(name: statement.string(1), type: statement.string(2)))
        }
        return tables
    }

    @Test func `every table of a store is described or listed as internal`() throws {
        let described = documented.keys.sorted()
        #expect(Set(described).isDisjoint(with: internalTables))
        #expect((described + internalTables).sorted() == (try schema().keys.sorted()))
    }

    @Test func `every column of a described table is described with its type`() throws {
        let schema = try schema()
        #expect(documented.count > 10)
        for (table, columns) in documented {
            let stored = schema[table] ?? []
            #expect(columns.map(\.name).sorted() == stored.map(\.name).sorted(), "\(table)")
            for column in columns where column.type != nil {
                let type = stored.first { $0.name == column.name }?.type
                #expect(column.type == type, "\(table).\(column.name)")
            }
        }
    }

    @Test func `the page states the schema version`() throws {
        let version = sections.first { $0.heading == "Versions" }?.lines
            .compactMap { $0.firstMatch(of: #/currently (\d+)$/#)?.1 }
        #expect(version == ["\(Schema.version)"])
    }
}
