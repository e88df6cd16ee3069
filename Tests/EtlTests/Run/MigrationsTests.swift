import Foundation
import TestSupport
import Testing

/// The pipeline files in `Pipelines/migrations`, run by the built tool.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct MigrationsTests {
    private let folder: TemporaryFolder
    private var store: String { folder.file("library.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func migrate(_ name: String, _ words: [String]) throws -> BuiltTool.Ending {
        try BuiltTool.ending(["run", "\(ProjectFiles.root)/Pipelines/migrations/\(name).yaml"] + words)
    }

    private static let fields = [
        "title", "authors", "series", "isbn13", "rating", "shelf", "shelves", "dateRead", "dateStarted",
        "earlierReadings", "dateAdded", "readCount", "ownedCopies", "review", "notes", "contributors",
    ]

    private func to(_ path: String) -> [String] {
        ["--set", "sink.settings.out=\(path)", "--set", "sink.settings.losses=\(path).losses"]
    }

    /// The store's entries, sorted.
    private func books(_ store: String) throws -> [String] {
        let exported = try BuiltTool.output(["export", "--db", store]).data
        return try String(decoding: exported, as: UTF8.self).split(separator: "\n").map { line in
            let book = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let values = try JSONSerialization.data(
                withJSONObject: Self.fields.map { book[$0] ?? "" }, options: .sortedKeys)
            return String(decoding: values, as: UTF8.self)
        }
        .sorted()
    }

    /// Exports by the program that wrote them: our own, and a larger one of other people's.
    private static let exports: [(program: String, file: String)] = TestFiles.cases(
        own: [
            ("goodreads", "goodreads/etl_2024.csv"), ("storygraph", "storygraph/etl_storygraph.csv"),
            ("librarything", "librarything/etl_49_columns.tsv"), ("bookwyrm", "other/etl_bookwyrm.csv"),
        ],
        shared: [
            ("goodreads", "goodreads/mouse-reeve_2018-01.csv"),
            ("storygraph", "storygraph/neodb_storygraph_library_export.csv"),
            ("librarything", "librarything/bookwyrm_librarything.tsv"),
            ("bookwyrm", "other/bookwyrm_bookwyrm.csv"),
        ])

    @Test(arguments: exports)
    func `an export is written as other programs do, as by etl convert, and read back`(
        program: String, file: String
    ) throws {
        let input = TestFiles.path(file)
        #expect(try BuiltTool.run(["import", "--quiet", "--offline", "--db", store, input]) == 0)
        let targets = program == "goodreads" ? ["storygraph", "bookwyrm", "librarything"] : ["goodreads"]
        for target in targets {
            let output = folder.file("\(target).txt")
            let ending = try migrate("\(program)_to_\(target)", to(output) + [input])
            #expect(ending.status == 0, "\(ending.errors)")
            let converted = try BuiltTool.output(["convert", "--to", target, input]).data
            #expect(try Data(contentsOf: URL(filePath: output)) == converted)
            #expect(FileManager.default.fileExists(atPath: output + ".losses"))
            let back = folder.file("\(target).sqlite")
            #expect(try BuiltTool.run(["import", "--quiet", "--offline", "--db", back, output]) == 0)
            #expect(try books(back).count == books(store).count, "\(target)")
        }
    }

    @Test func `a store is added to another one without losses, and twice is once`() throws {
        let other = folder.file("other.sqlite")
        let mine = TestFiles.path("goodreads/etl_2024.csv")
        #expect(try BuiltTool.run(["import", "--quiet", "--offline", "--db", store, mine]) == 0)
        for file in ["storygraph/etl_storygraph.csv", "other/etl_openreads.csv", "other/etl_hardcover.csv"] {
            let path = TestFiles.path(file)
            #expect(try BuiltTool.run(["import", "--quiet", "--offline", "--db", other, path]) == 0)
        }
        let before = try books(store)
        let added = try books(other)
        let first = try migrate("store_to_store", ["--quiet", "--offline", "--db", store, other])
        #expect(first.status == 0, "\(first.errors)")
        #expect(try books(store) == (before + added).sorted())
        let merged = try BuiltTool.dump(store)
        let second = try migrate("store_to_store", ["--quiet", "--offline", "--db", store, other])
        #expect(second.status == 0)
        #expect(try BuiltTool.dump(store) == merged)
    }

    @Test
    func `what becomes of other libraries and of entries with one id is said, and the store's path is shown`()
        throws
    {
        let other = folder.file("other.sqlite")
        let mine = TestFiles.path("goodreads/etl_2024.csv")
        let first = ["import", "--quiet", "--offline", "--db", other]
        #expect(try BuiltTool.run(first + [mine]) == 0)
        #expect(
            try BuiltTool.run(first + ["--library", "town", TestFiles.path("other/etl_openreads.csv")]) == 0)
        let table = try folder.write(
            Array(BuiltTool.output(["export", "--db", other, "--format", "csv"]).data), to: "mine.csv")
        #expect(try BuiltTool.run(first + [table]) == 0)
        let ending = try migrate("store_to_store", ["--offline", "--db", store, "--job", "copy", other])
        #expect(ending.status == 0)
        #expect(
            ending.errors.contains(
                "has 2 libraries: `default`, `town`. All their entries go into the library `default`"))
        #expect(
            ending.errors.contains(
                "`\(other)` has 8 entries that become one with another"))
        let status = try BuiltTool.ending(["status", "--db", store, "copy"])
        #expect(status.output.contains(other) && !(status.output + ending.errors).contains("standard input"))
    }

    @Test(arguments: [
        ("goodreads_to_storygraph", "librarything/etl_49_columns.tsv", "librarything"),
        ("librarything_to_goodreads", "goodreads/etl_2024.csv", "goodreads"),
        ("bookwyrm_to_goodreads", "storygraph/etl_storygraph.csv", "storygraph"),
        ("marc_to_store", "goodreads/etl_2024.csv", "goodreads"),
        ("readarr_to_store", "goodreads/etl_2024.csv", "goodreads"),
        ("calibre_to_store", "other/etl_generic.csv", "generic"),
    ])
    func `a file in another format is refused before anything is stored`(
        name: String, file: String, format: String
    ) throws {
        let isToStore = name.hasSuffix("_to_store")
        let ending = try migrate(
            name,
            (isToStore ? ["--db", store] : to(folder.file("out"))) + ["--offline", TestFiles.path(file)])
        #expect(ending.status == 65)
        #expect(ending.errors.contains("looks like the format `\(format)`"))
        #expect(ending.errors.contains("name its format with --from"))
        #expect(!folder.names.contains { $0.hasPrefix("out") || $0.hasSuffix(".sqlite") }, "\(folder.names)")
    }

    @Test func `a store is not imported into itself`() throws {
        let mine = TestFiles.path("goodreads/etl_2024.csv")
        #expect(try BuiltTool.run(["import", "--quiet", "--offline", "--db", store, mine]) == 0)
        let ending = try migrate("store_to_store", ["--offline", "--db", store, store])
        #expect(ending.status == 64)
        #expect(ending.errors.contains("cannot be imported into itself"))
    }

    @Test func `a store is written for calibre, into a new folder only`() throws {
        let mine = TestFiles.path("goodreads/etl_2024.csv")
        #expect(try BuiltTool.run(["import", "--quiet", "--offline", "--db", store, mine]) == 0)
        let library = folder.file("calibre")
        #expect(try migrate("store_to_calibre", ["--db", store] + to(library)).status == 0)
        let files = try FileManager.default.subpathsOfDirectory(atPath: library)
        #expect(files.filter { $0.hasSuffix("/metadata.opf") }.count == (try books(store).count))
        let again = try migrate("store_to_calibre", ["--db", store] + to(library))
        #expect(again.status != 0)
        #expect(again.errors.contains("is not empty"))
        #expect(try FileManager.default.subpathsOfDirectory(atPath: library) == files)
        #expect(try migrate("store_to_calibre", ["--db", store] + to("-")).status == 64)
    }

    @Test(arguments: marc)
    func `a library's records are imported, or rejected with a reason`(file: String) throws {
        let ending = try migrate(
            "marc_to_store", ["--json", "--offline", "--db", store, TestFiles.path(file)])
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(try !books(store).isEmpty)
    }

    private static let marc = TestFiles.cases(
        own: ["list.mrc", "list.xml", "list.marc.json"].map { "marcxml/etl/\($0)" },
        shared: [
            "marcxml/pymarc/marc.dat", "marcxml/pymarc/batch.xml",
            "marcxml/openlibrary/uoft_4351105_1626.mrc",
        ])

    @Test
    func `an option without effect, an input that would be overwritten, and a misplaced source are refused`()
        throws
    {
        let mine = TestFiles.path("goodreads/etl_2024.csv")
        let unused = try migrate("goodreads_to_storygraph", ["--job", "x", mine])
        #expect(unused.status == 64 && unused.errors.contains("`--job` has no effect"))
        let copy = try folder.write(Array(Data(contentsOf: URL(filePath: mine))), to: "mine.csv")
        let overwriting = try migrate("goodreads_to_storygraph", to(copy) + [copy])
        #expect(overwriting.status == 64 && overwriting.errors.contains("would overwrite"))
        let others = [
            try migrate("goodreads_to_storygraph", to(copy) + [mine, copy]),
            try migrate(
                "goodreads_to_storygraph",
                ["--set", "sink.settings.out=\(copy)"]
                    + [mine, "\(folder.path)/*.csv"]),
            try migrate(
                "goodreads_to_storygraph",
                ["--set", "sink.settings.out=-", "--set", "sink.settings.losses=\(copy)", copy]),
        ]
        for ending in others {
            #expect(ending.status == 64 && ending.errors.contains("would overwrite"), "\(ending.errors)")
        }
        #expect(try Data(contentsOf: URL(filePath: copy)) == Data(contentsOf: URL(filePath: mine)))
        let definition = "name: x\nsource: { stage: ReadStore }\nsink: { stage: WriteResults }\n"
        let path = try folder.write(definition, to: "x.yaml")
        let misplaced = try BuiltTool.ending(["run", "--db", store, path])
        #expect(misplaced.status == 78 && misplaced.errors.contains("can only be the source"))
        let folderless = try migrate(
            "store_to_postgresql", ["--db", store, "--set", "sink.settings.out=-"])
        #expect(folderless.status != 0)
    }
}
