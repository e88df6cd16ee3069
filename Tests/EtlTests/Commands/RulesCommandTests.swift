import Foundation
import TestSupport
import Testing

/// `etl rules` as users run it.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct RulesCommandTests: ImportsByTool {
    let folder: TemporaryFolder
    private static let table = "Title,Author,Shelf\nDune,Frank Herbert,gelesen\nEmma,Jane Austen,gelesen\n"

    init() throws { folder = try TemporaryFolder() }

    @Test func `proposed rules can be set, are shown as they were set, and apply to later imports`() throws {
        let table = try folder.write(Self.table, to: "books.csv")
        let proposed = try BuiltTool.ending(["rules", "suggest", table])
        #expect(proposed.status == 0, "\(proposed.errors)")
        let text = "shelves:\n  gelesen: {status: read}\n"
        let rules = try folder.write(text, to: "rules.yaml")
        let set = try BuiltTool.ending(["rules", "set", "--db", store, rules])
        #expect(set.status == 0 && set.errors.contains("1 rule"), "\(set.errors)")
        #expect(set.errors.contains("Made a new store"), "a mistyped path is not noticed")
        let again = try BuiltTool.ending(["rules", "set", "--db", store, rules])
        #expect(!again.errors.contains("Made a new store"))
        #expect(try BuiltTool.ending(["rules", "show", "--db", store]).output == text)
        #expect(try BuiltTool.run(["import", "--quiet", "--offline", "--db", store, table]) == 0)
        let books = try BuiltTool.ending(["export", "--db", store]).output
        #expect(books.components(separatedBy: "\"shelf\":\"read\"").count == 3, "\(books)")
    }

    @Test func `programs get the rules and their number as JSON`() throws {
        let table = try folder.write(Self.table, to: "books.csv")
        let text = "shelves: {gelesen: {status: read}}\n"
        let rules = try folder.write(text, to: "rules.yaml")
        func json(_ arguments: String...) throws -> [String: Any] {
            let ending = try BuiltTool.ending(["rules"] + arguments + ["--json"])
            #expect(ending.status == 0, "\(ending.errors)")
            return try #require(
                try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
        }
        let proposed = try json("suggest", table)
        #expect(proposed["books"] as? Int == 2 && proposed["text"] is String, "\(proposed)")
        for step in [try json("set", "--db", store, rules), try json("show", "--db", store)] {
            #expect(step["library"] as? String == "default" && step["rules"] as? Int == 1)
            #expect(step["text"] as? String == text)
        }
        for step in [try json("clear", "--db", store), try json("show", "--db", store)] {
            #expect(step["rules"] as? Int == 0 && step["text"] == nil, "\(step)")
        }
    }

    @Test func `rules that are forgotten apply no longer`() throws {
        let rules = try folder.write("shelves: {gelesen: {status: read}}\n", to: "rules.yaml")
        #expect(try BuiltTool.run(["rules", "set", "--db", store, rules]) == 0)
        #expect(try BuiltTool.ending(["rules", "clear", "--db", store]).errors.contains("no longer"))
        let shown = try BuiltTool.ending(["rules", "show", "--db", store])
        #expect(shown.status == 0 && shown.output.isEmpty && shown.errors.contains("remembers no rules"))
        #expect(
            try BuiltTool.ending(["rules", "clear", "--db", store]).errors.contains("remembers no rules"))
    }

    @Test(arguments: ["show", "clear"]) func `a store that does not exist is not one without rules`(
        command: String
    ) throws {
        let ending = try BuiltTool.ending(["rules", command, "--db", store])
        #expect(ending.status == 66 && ending.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: store))
    }

    @Test func `a wrong rule is refused with its line, and the remembered ones stay`() throws {
        let good = try folder.write("shelves: {gelesen: {status: read}}\n", to: "good.yaml")
        let bad = try folder.write("shelves:\n  gelesen: {status\n", to: "bad.yaml")
        #expect(try BuiltTool.run(["rules", "set", "--db", store, good]) == 0)
        let ending = try BuiltTool.ending(["rules", "set", "--db", store, bad])
        #expect(
            ending.status == 78 && ending.errors.contains("bad.yaml"), "\(ending.status) \(ending.errors)")
        // As `etl rules suggest` leaves it when it has nothing to propose.
        let empty = try folder.write("", to: "empty.yaml")
        let none = try BuiltTool.ending(["rules", "set", "--db", store, empty])
        #expect(
            none.status == 64 && none.errors.contains("has no rules"), "\(none.status) \(none.errors)")
        #expect(
            try BuiltTool.ending(["rules", "show", "--db", store]).output
                == "shelves: {gelesen: {status: read}}\n")
    }
}
