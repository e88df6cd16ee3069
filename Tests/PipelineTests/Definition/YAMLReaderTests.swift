import TestSupport
import Testing

@testable import Pipeline

/// The problems of a text; empty if it is parsed. A named function, because `#expect(throws:)` around typed
/// throws can crash the compiler.
func yamlProblems(_ bytes: [UInt8]) -> [DefinitionProblem] {
    do throws(DefinitionError) {
        _ = try YAMLReader.read(bytes, named: "p.yaml")
        return []
    } catch {
        return error.problems
    }
}

private func yamlProblem(_ text: String) -> (code: DefinitionProblem.Code?, place: String) {
    let problems = yamlProblems(Array(text.utf8))
    return (problems.first?.code, problems.first?.origin.description ?? "")
}

@Suite struct YAMLReaderTests {
    @Test func `every key and value has its position`() throws {
        let text = "# comment\nname: x\nlist:\n  - a\n  - { b: [c] }\n"
        let root = try #require(try YAMLReader.read(Array(text.utf8), named: "p.yaml"))
        let entries = try #require(root.entries)
        #expect(entries.map(\.key) == ["name", "list"])
        #expect(entries[0].origin == .file("p.yaml", line: 2, column: 1))
        #expect(entries[0].value.origin == .file("p.yaml", line: 2, column: 7))
        guard case .sequence(let items) = entries[1].value.content else {
            Issue.record("no list")
            return
        }
        #expect(items[0].origin == .file("p.yaml", line: 4, column: 5))
        let nested = try #require(items[1]["b"])
        #expect(nested.origin == .file("p.yaml", line: 5, column: 10))
    }

    @Test func `columns count characters, not bytes`() throws {
        let root = try #require(try YAMLReader.read(Array("{ naïve: ö, b: c }".utf8), named: "p.yaml"))
        #expect(root.entries?[1].origin == .file("p.yaml", line: 1, column: 13))
    }

    @Test func `a byte order mark does not shift columns`() throws {
        let root = try #require(
            try YAMLReader.read([0xEF, 0xBB, 0xBF] + Array("a: b".utf8), named: "p.yaml"))
        #expect(root.entries?[0].value.origin == .file("p.yaml", line: 1, column: 4))
    }

    @Test func `empty values and null differ from the quoted word`() throws {
        let text = "a:\nb: ~\nc: null\nd: 'null'\ne: ''"
        let root = try #require(try YAMLReader.read(Array(text.utf8), named: "p.yaml"))
        #expect(root.entries?.map(\.value.isAbsent) == [true, true, true, false, false])
        #expect(root.entries?.map(\.value.text) == [nil, nil, nil, "null", ""])
    }

    @Test(arguments: ["", "\n\n", "# only a comment\n"])
    func `text without a value has no root`(text: String) throws {
        #expect(try YAMLReader.read(Array(text.utf8), named: "p.yaml") == nil)
    }

    @Test(arguments: [
        ("a: &x b", DefinitionProblem.Code.unsupported, "p.yaml:1:4"),
        ("a: 1\nb: *x", .unsupported, "p.yaml:2:4"),
        ("a: !!binary eA==", .unsupported, "p.yaml:1:4"),
        ("- &x { a: b }", .unsupported, "p.yaml:1:3"),
        ("a: 1\n---\nb: 2", .unsupported, "p.yaml:2:1"),
        ("# x\n%YAML 1.2\n---\na: 1", .unsupported, "p.yaml:2:1"),
        ("? [a, b]\n: c", .unsupported, "p.yaml:1:3"),
        ("a: 1\nb: 2\na: 3", .duplicateKey, "p.yaml:3:1"),
        ("x: { b: 1, 'b': 2 }", .duplicateKey, "p.yaml:1:12"),
        ("a:\n\tb: c", .syntax, "p.yaml:2:1"),
        ("a: b: c", .syntax, "p.yaml:1:5"),
        ("a: [b", .syntax, "p.yaml:2:1"),
        ("a: \"b", .syntax, "p.yaml:1:6"),
        ("a: b\n c", .syntax, ""),
        ("a: \u{0}", .encoding, "p.yaml:1:4"),
        ("ö: 1\nb: \u{7}", .encoding, "p.yaml:2:4"),
    ])
    func `unsupported YAML is reported with its position`(
        text: String, code: DefinitionProblem.Code, place: String
    ) {
        // A plain scalar may continue on the next line: the one row without a position is valid.
        let found = yamlProblem(text)
        #expect(found.place == place)
        #expect(found.code == (place.isEmpty ? nil : code))
    }

    @Test func `invalid bytes are rejected with their position`() {
        let problem = yamlProblems(Array("a: b\nc: ".utf8) + [0xFF, 0xFE]).first
        #expect(problem?.code == .encoding)
        #expect(problem?.origin == .file("p.yaml", line: 2, column: 4))
    }

    @Test func `nesting is limited`() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(yamlProblem(nested(YAMLReader.maximumDepth)).code == nil)
        #expect(yamlProblem(nested(YAMLReader.maximumDepth + 1)).code == .tooDeep)
        #expect(yamlProblem(nested(100_000)).code == .tooDeep)
        #expect(yamlProblem(String(repeating: "- ", count: 100_000)).code == .tooDeep)
        #expect(yamlProblem(String(repeating: "? ", count: 100_000)).code == .tooDeep)
        #expect(yamlProblem(String(repeating: "{a: ", count: 100_000)).code == .tooDeep)
    }

    @Test func `a file over the size limit is rejected`() {
        let comment = [UInt8](repeating: UInt8(ascii: "#"), count: YAMLReader.maximumBytes)
        #expect(yamlProblems(comment).isEmpty)
        #expect(yamlProblems(comment + [10]).first?.code == .tooLarge)
    }

    @Test func `a file with too many values is rejected`() {
        func list(_ count: Int) -> [UInt8] { Array(String(repeating: "- a\n", count: count).utf8) }
        #expect(yamlProblems(list(YAMLReader.maximumValues - 1)).isEmpty)
        #expect(
            yamlProblems(list(YAMLReader.maximumValues)).map { "\($0.origin) \($0.code.rawValue)" } == [
                "p.yaml:10000:3 too_large"
            ])
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `random text never crashes, and every problem has a position`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // Half of the input is made of characters that mean something in YAML, to get past the first byte.
        let signs = Array("{}[]:,-?&*!|>'\"%@`#\n\n  \tab01.~<=\u{85}\u{2028}é".utf8)
        for round in 0..<2_000 {
            let length = Int.random(in: 0..<80, using: &random)
            let bytes = (0..<length).map { _ in
                round.isMultiple(of: 2)
                    ? UInt8.random(in: .min ... .max, using: &random)
                    : signs[Int.random(in: 0..<signs.count, using: &random)]
            }
            for problem in yamlProblems(bytes) {
                guard case .file("p.yaml", let line, let column) = problem.origin else {
                    Issue.record("no position in \(bytes)")
                    return
                }
                #expect(line >= 1 && column >= 1 && !problem.message.isEmpty)
            }
        }
    }
}
