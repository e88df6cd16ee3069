import Foundation
import TestSupport
import Testing

/// `etl test`: fixtures beside a definition.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct TestCommandTests {
    private static let definition = """
        name: mine
        source: { stage: ReadLibrary }
        stages:
          - stage: FilterRows
            settings: { where: "title != ${SKIPPED:-Emma}" }
          - stage: TeeRows
            settings: { out: "FOLDER/must-not-be-written.ndjson" }
          - stage: ValidateISBN
          - stage: LookUpBooks
          - stage: MergeCandidates
          - stage: NormalizeGenres
          - stage: EnrichAuthors
          - stage: ComposeResults
        sink: { stage: WriteResults }
        """

    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.write(
            Self.definition.replacing("FOLDER", with: folder.path), to: "mine.yaml")
        try FileManager.default.createDirectory(
            atPath: folder.file("mine.tests"), withIntermediateDirectories: true)
        _ = try folder.write("Title,Author\nEmma,Jane Austen\nDune,Frank Herbert\n", to: "mine.tests/two.csv")
    }

    private func test(_ options: String..., variables: [String: String] = [:]) throws -> BuiltTool.Ending {
        try BuiltTool.ending(
            ["test"] + options + [path], environment: variables.merging(["HOME": folder.path]) { $1 })
    }

    @Test func `a fixture passes, differs, or has no expected output yet`() throws {
        let first = try test()
        #expect(first.status == 78)
        #expect(first.errors.contains("there is no"))

        #expect(try test("--update").status == 0)
        let expected = try String(contentsOfFile: folder.file("mine.tests/two.csv.expected"), encoding: .utf8)
        #expect(expected.contains("Dune"))
        #expect(expected.contains("filtered_out"))
        let passing = try test()
        #expect(passing.status == 0)
        #expect(passing.errors.contains("two.csv: passed"))

        let changed = try test(variables: ["SKIPPED": "Dune"])
        #expect(changed.status == 78)
        let lines = changed.output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("- ") && $0.contains("Dune") })
        #expect(lines.contains { $0.hasPrefix("+ ") && $0.contains("Emma") })
        let json = try test("--json", variables: ["SKIPPED": "Dune"])
        #expect(json.status == 78)
        #expect(
            json.output.hasPrefix(#"[{"fixture":"two.csv","verdict":"differs","lines":["#), "\(json.output)")
    }

    @Test func `nothing is written but the expected output`() throws {
        _ = try test("--update")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.contains("must-not-be-written") || $0.hasSuffix(".sqlite") })
    }

    @Test func `a folder without fixtures is an error`() throws {
        try FileManager.default.removeItem(atPath: folder.file("mine.tests/two.csv"))
        let ending = try test()
        #expect(ending.status == 66)
        #expect(ending.errors.contains("no input file"))
    }
}
