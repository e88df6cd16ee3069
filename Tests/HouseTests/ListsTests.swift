import Testing

/// One file adds one thing, plus its name in the one list beside it: list and folder say the same.
@Suite struct ListsTests {
    /// Names of the Swift files of a folder, without their ending.
    private func files(in folder: String) -> Set<String> {
        Set(Tree.names(in: folder).filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(6)) })
    }

    private func code(_ path: String) -> Substring { SwiftCode.blank(Tree.text(path))[...] }

    @Test func `every input format is in LibraryFormats, and nothing else is`() {
        let list = code("Sources/Stages/Books/Read/Formats/LibraryFormats.swift")
        let formats = files(in: "Sources/Stages/Books/Read/Formats").subtracting(["LibraryFormats"])
        #expect(!formats.isEmpty)
        let listed = Set(list.matches(of: #/\b([A-Z]\w*)\(\)/#).map { String($0.1) })
        #expect(listed == formats)
    }

    @Test func `every command is in Commands, and nothing else is`() {
        let listed = Set(
            code("Sources/etl/Commands/Commands.swift").matches(of: #/\b(\w+Command)\.self/#).map {
                String($0.1)
            })
        let commands = files(in: "Sources/etl/Commands").filter { $0.hasSuffix("Command") }
        #expect(!commands.isEmpty)
        #expect(listed == commands)
    }

    @Test
    func `every source, stage and sink of Stages is in BookStages under its own name, and nothing else is`() {
        let listed = Set(
            Tree.text("Sources/Stages/Application/Jobs/BookStages.swift")
                .matches(of: #/StageRecipe\(\s*(?:source|stage|sink): "(\w+)"/#).map { String($0.1) })
        let declared = Tree.sources.filter { $0.path.hasPrefix("Sources/Stages/") }.flatMap(\.code).compactMap
        { line in
            line.firstMatch(of: #/\bstruct (\w+): (?:Source|Stage|Sink)\b/#).map { String($0.1) }
        }
        #expect(!declared.isEmpty)
        // What the passes of a run put into a pipeline: no file can name it.
        let unnamed = ["ReadMended", "SieveByPending", "NoteOpenRecords", "NoteReasons"]
        #expect(listed.union(unnamed) == Set(declared))
    }

    @Test func `every provider of books is made by BookStages`() {
        let stages = Tree.text("Sources/Stages/Application/Jobs/BookStages.swift")
        for provider in files(in: "Sources/Stages/Books/LookUp/Providers") {
            #expect(stages.contains(provider + "("), "\(provider) is never asked")
        }
    }

    @Test(arguments: ["csv_import", "catalog_build"])
    func `a definition in the binary is the one in Pipelines`(name: String) {
        let inBinary = Tree.text("Sources/etl/\(name).yaml")
        #expect(!inBinary.isEmpty)
        #expect(inBinary == Tree.text("Pipelines/\(name).yaml"))
    }
}
