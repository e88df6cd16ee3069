import Foundation
import Testing

/// Adding a thing takes one file and one entry in the list next to it: list and folder agree.
@Suite struct ListsTests {
    /// Names of the Swift files of a folder, without their extension.
    private func files(in folder: String) -> Set<String> {
        Set(Tree.names(in: folder).filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(6)) })
    }

    private func code(_ path: String) -> Substring { SwiftCode.blank(Tree.text(path))[...] }

    @Test func `LibraryFormats lists exactly the input formats`() {
        let list = code("Sources/Stages/Formats/Programs/LibraryFormats.swift")
        let formats = files(in: "Sources/Stages/Formats/Programs").subtracting(["LibraryFormats"])
        #expect(!formats.isEmpty)
        let listed = Set(list.matches(of: #/\b([A-Z]\w*)\(\)/#).map { String($0.1) })
        #expect(listed == formats)
    }

    @Test func `Commands lists exactly the commands`() {
        let listed = Set(
            code("Sources/etl/CommandLineTool/Commands/Command.swift").matches(of: #/\b(\w+Command)\.self/#)
                .map {
                    String($0.1)
                })
        let commands = files(in: "Sources/etl/CommandLineTool/Commands").filter {
            $0.hasSuffix("Command") && $0 != "Command"
        }
        #expect(!commands.isEmpty)
        #expect(listed == commands)
    }

    @Test
    func
        `BookStages and RowStages list exactly the sources, stages and sinks of Stages, under their own names`()
    {
        let listed = Set(
            ["BookStages", "RowStages"].map { Tree.text("Sources/Application/Jobs/Runs/\($0).swift") }
                .joined()
                .matches(of: #/StageFactory\(\s*(?:source|stage|sink): "(\w+)"/#).map { String($0.1) })
        let folders = ["Sources/Stages/", "Sources/Application/"]
        let declared = Tree.sources.filter { file in folders.contains { file.path.hasPrefix($0) } }
            .flatMap(\.code).compactMap { line in
                line.firstMatch(of: #/\bstruct (\w+): (?:Source|Stage|Sink)\b/#).map { String($0.1) }
            }
        #expect(!declared.isEmpty)
        // Stages that the program itself adds to a pipeline; a file cannot name them.
        let unnamed = [
            "ReadCorrected", "FilterPending", "CollectPendingReasons", "FilterEarlier", "DiscardRows",
            "ReadWorkTexts", "EmbedTexts", "WriteVectors",
        ]
        #expect(listed.union(unnamed) == Set(declared))
    }

    @Test func `every service is defined in one file of Providers and listed`() {
        let defined = files(in: "Sources/Stages/Sources/Providers").flatMap { file in
            Tree.text("Sources/Stages/Sources/Providers/\(file).swift")
                .matches(of: #/static let (\w+) = ServiceDefinition\(/#).map { String($0.1) }
        }
        let list = Tree.text("Sources/Stages/Sources/Providers/ServiceDefinition.swift")
            .firstMatch(of: #/static let all: \[ServiceDefinition\] = \[([^\]]*)\]/#)
        let listed = list.map { $0.1.matches(of: #/\.(\w+)/#).map { String($0.1) } } ?? []
        #expect(!defined.isEmpty)
        #expect(listed.sorted() == defined.sorted())
    }

    @Test func `Pipeline.md lists every decision in order`() {
        let docc = "Sources/Pipeline/Pipeline.docc"
        let decisions = Tree.names(in: "\(docc)/Decisions").map { String($0.dropLast(".md".count)) }
        let listed = Tree.text("\(docc)/Pipeline.md").matches(of: #/- <doc:([0-9]{4}-\w+)>/#).map {
            String($0.1)
        }
        #expect(decisions.count > 20)
        #expect(listed == decisions)
    }

    /// Other files that contain a service's name or its case of `Provider`, and why.
    private static let spelled: [String: String] = [
        "Books/Model/Candidate.swift": "the contract's names of providers of books",
        "Sources/Merge/MergePolicy.swift": "the default policy prefers some providers",
        "Store/Results/WorkColumns.swift": "columns of the store",
        "Store/Write/AuthorWriter.swift": "columns of the store",
        "Store/Write/LibraryTables.swift": "columns of the store",
        "Formats/Programs/BookWyrm.swift": "the names of its columns",
        "Formats/Programs/ReadingLog.swift": "a format of the same name",
        "Sources/Catalog/Build/CatalogMeta.swift": "the dumps are Open Library's",
        "Sources/Catalog/Dumps/DumpRecords.swift": "the dumps of Open Library and Wikidata",
        "Sources/Catalog/Dumps/AuthorDump.swift": "a key in Open Library's JSON",
        "Sources/Catalog/Dumps/WorkDump.swift": "a key in Open Library's JSON",
        "Application/Queries/Explain/AnswerOrigins.swift": "old stores do not name a catalog's provider",
        "Client/Sources/BooksTrack/Records/Provider.swift": "values for apps, which have no other module",
        "Application/Queries/Export/ExportTable+Columns.swift": "names of exported columns",
        "Application/Queries/History/ChangedRows.swift": "columns of the store",
        "Application/Queries/Reports/Explanation.swift": "a JSON key",
    ]

    @Test func `a service's name is spelled only in its own files`() {
        let definitions = Tree.sources.filter { $0.path.contains("/Sources/Providers/") }
        let names = definitions.flatMap { file in
            file.lines.joined(separator: "\n").matches(of: #/name: "([a-z-]+)", title:/#).map { String($0.1) }
        }
        #expect(names.count >= 4)
        let cases = #/(?:Provider|prefer\()\.(?:openLibrary|googleBooks|isbndb)(?![A-Za-z])/#
        for file in Tree.sources
        where file.module != "FakeServices" && !definitions.contains(where: { $0.path == file.path }) {
            let isException = Self.spelled.keys.contains { file.path.hasSuffix($0) }
            var isSpelled = false
            for (index, line) in file.lines.enumerated() where !line.contains("//") {
                guard names.contains(where: { line.contains("\"\($0)\"") }) || line.contains(cases) else {
                    continue
                }
                isSpelled = true
                if !isException {
                    Issue.record("\(file.path):\(index + 1) names a service: see ServiceDefinition")
                }
            }
            #expect(isSpelled || !isException, "\(file.path) needs no exception")
        }
    }

    @Test(arguments: ["csv_import", "catalog_build"])
    func `a definition in the binary is the one in Pipelines`(name: String) throws {
        let embedded = Tree.root.appending(path: "Sources/etl/CommandLineTool/\(name).yaml").path
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: embedded)
        #expect(target == "../../../Pipelines/\(name).yaml")
        #expect(!Tree.text("Pipelines/\(name).yaml").isEmpty)
    }
}
