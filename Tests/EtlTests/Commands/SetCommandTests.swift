import Foundation
import Store
import System
import TestSupport
import Testing

@testable import CommandLineTool

/// Values and names of fields as people write them, and `--json` of commands for people.
@Suite struct SetCommandTests {
    @Test(arguments: [
        ("shelf", "reading", "currently-reading"), ("shelf", "want to read", "to-read"),
        ("shelf", "favorites", "favorites"), ("language", "English", "en"), ("language", "ger", "de"),
        ("language", "Português (Brasil)", "pt"), ("format", "paperback", "Paperback"),
        ("format", "kindle", "E-book"), ("format", "Taschenbuch", "Paperback"),
        ("format", "MP3 CD", "Audiobook"),
    ])
    func `a value may be spelled as in an export`(name: String, text: String, value: String) throws {
        let field = try EditFields.field(name)
        #expect(try field.values(of: text) == [value])
    }

    @Test(arguments: [
        ("language", "Germn", "Did you mean `German`?"), ("language", "xyzzy", "Write a language"),
        ("format", "hrdcover", "Did you mean `Hardcover`?"), ("format", "scroll", "Write one of Hardcover"),
    ])
    func `a wrong value is refused with what may be meant`(name: String, text: String, advice: String) throws
    {
        let field = try EditFields.field(name)
        do throws(ETLError) {
            _ = try field.values(of: text)
            Issue.record("accepted")
        } catch {
            #expect(error.advice?.description.hasPrefix(advice) == true, "\(error)")
        }
    }

    @Test(arguments: [("readin", "reading"), ("to-raed", "to-read"), ("reading", nil), ("favorites", nil)])
    func `a new shelf that resembles a status is told`(shelf: String, meant: String?) {
        #expect(EditableField.shelf.meant(by: shelf) == meant)
        #expect(EditableField.title.meant(by: shelf) == nil)
    }

    @Test(arguments: [
        ("status", "shelf"), ("Stars", "rating"), ("ratng", "rating"), ("started", "dateStarted"),
    ])
    func `a field is found by what people call it`(name: String, field: String) {
        let error = #expect(throws: CommandFailure.self) { try EditFields.field(name) }
        #expect(error?.advice?.description == "Did you mean `\(field)`?")
    }

    @Test(
        arguments: [
            ("shelf = reading and rating > 3", ["In conditions, `reading` is written `currently-reading`."]),
            ("(language=English)", ["In conditions, `English` is written `en`."]), ("shelf=favorites", []),
            ("format = \"ebook\"", ["In conditions, `ebook` is written `E-book`."]), ("shelf = read", []),
            ("shelf = raed", ["Did you mean `read`?"]),
            ("language = Germn", ["`Germn` is not a value of language."]),
            ("title = x", []), ("shelf =", []), ("= reading", []), ("rating >= 4", []),
        ] as [(String, [String])])
    func `a condition that finds nothing is told how the store spells its values`(
        condition: String, hints: [String]
    ) {
        #expect(ConditionHint.hints(condition) == hints)
    }
}

@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct JSONEverywhereTests: ImportsByTool {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `commands for people print JSON, too`() throws {
        _ = try importing("Title,Author\nReef,Ana\n")
        #expect(try BuiltTool.ending(["export", "--json", "--db", store]).output.hasPrefix("["))
        #expect(try BuiltTool.ending(["export", "--json", "--to", "csv", "--db", store]).status == 64)
        let canceled = try BuiltTool.ending(["cancel", "--json", "j1", "--db", store])
        #expect(canceled.output.contains(#""status":"completed""#), "\(canceled)")
        #expect(
            try BuiltTool.ending(["isbn", "--json", "9780441172719"]).output.contains(#""verdict":"valid""#))
        #expect(try BuiltTool.ending(["results", "--json", "--db", store]).output.hasPrefix("{"))
    }

    @Test func `figures open as a page in the browser`() throws {
        _ = try importing("Title,Author\nReef,Ana\n")
        let script = try folder.write("cp \"$1\" \(folder.file("shown.html"))", to: "browser")
        var environment = ProcessInfo.processInfo.environment
        environment["BROWSER"] = "sh \(script)"
        environment["XDG_CACHE_HOME"] = folder.file("cache")
        let ending = try BuiltTool.ending(["stats", "--open", "--db", store], environment: environment)
        #expect(ending.status == 0 && ending.output.isEmpty, "\(ending)")
        let page = try String(contentsOfFile: folder.file("shown.html"), encoding: .utf8)
        #expect(page.contains("Reef"))
        #expect(FileManager.default.fileExists(atPath: folder.file("cache/etl/pages/library.html")))
    }
}
