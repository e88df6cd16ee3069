import Foundation
import TestSupport
import Testing

/// Searches find books as they are now.
@Suite struct SearchCommandTests {
    private let folder: TemporaryFolder
    private var store: String { folder.file("library.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func etl(_ arguments: String...) throws -> String {
        let ending = try BuiltTool.ending(arguments + ["--db", store])
        #expect(ending.status == 0, "\(arguments): \(ending.errors)")
        return ending.output
    }

    private func add(_ title: String, _ isbn: String, to library: String) throws {
        let file = try folder.write(
            "Book Id,Title,Author,ISBN13\n1,\(title),Ana Lee,=\"\(isbn)\"\n", to: "\(library).csv")
        _ = try etl("import", "--offline", "--quiet", "--library", library, file)
    }

    @Test func `a corrected title is found`() throws {
        try add("Zanzibar", "9780306406157", to: "anna")
        #expect(try etl("search", "title", "zanzibar").contains("Zanzibar"))
        _ = try etl("set", "9780306406157", "title=Quixotic")
        #expect(try etl("search", "title", "quixotic").contains("Quixotic"))
        // Readers' rows are searched in their own spelling.
        #expect(try etl("search", "title", "zanzibar").contains("Quixotic"))
    }

    @Test func `a library that was removed is not found, and after pruning no file has its titles`() throws {
        try add("Kumquat", "9780306406157", to: "anna")
        try add("Zanzibar", "9780441007318", to: "ben")
        #expect(try etl("search", "title", "kumquat").contains("Kumquat"))
        _ = try etl("forget", "anna")
        #expect(try etl("search", "title", "kumquat").isEmpty)
        _ = try etl("doctor", "--prune", "--older-than", "0")
        for name in folder.names where name.hasPrefix("library.sqlite") {
            let bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
            for word in ["kumquat", "Kumquat"] {
                #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in \(name)")
            }
        }
        #expect(try etl("search", "title", "zanzibar").contains("Zanzibar"))
    }
}
