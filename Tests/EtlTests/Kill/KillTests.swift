import Foundation
import TestSupport
import Testing

/// The built tool survives `kill -9` at random moments when the same command is run again.
///
/// The moments are shares of an uninterrupted run's duration. They follow from a seed that every failure names;
/// the environment variable `ETL_KILL_SEED` sets it.
@Suite(
    .serialized,
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct KillTests {
    /// The total number of kills.
    private static let kills = Dose.count(40, full: 200, variable: "ETL_KILL_COUNT")
    /// Kills per store before it may finish.
    private static let killsPerStore = 8
    /// Maximum number of stores, in case many runs end before they are killed.
    private static let stores = kills

    @Test func `a run killed at random moments and started again gives the result of an uninterrupted one`()
        throws
    {
        let folder = try TemporaryFolder()
        let (export, catalog) = try Self.enlargedSample(in: folder)

        func arguments(_ store: String) -> [String] {
            [
                "run", "--quiet", "--catalog", catalog, "--db", store, "--set",
                "source.settings.batch.records=16",
                "\(ProjectFiles.root)/Pipelines/csv_import.yaml", export,
            ]
        }
        var whole = try UninterruptedRun(folder.file("whole.sqlite"), arguments)
        #expect(whole.dump.count > 100_000)

        var killed = 0
        for number in 1...Self.stores where killed < Self.kills {
            let store = folder.file("store-\(number).sqlite")
            // The run ended before it could be killed: nothing is left to kill in this store.
            var isComplete = false
            var lives = 0
            while !isComplete, lives < Self.killsPerStore {
                lives += 1
                isComplete = try !BuiltTool.killed(arguments(store), afterMilliseconds: whole.moment())
                if !isComplete { killed += 1 }
            }
            if isComplete, lives == 1 { whole.shorten() }
            try #require(
                try BuiltTool.run(arguments(store)) == 0, "store \(number) not resumed, \(whole.hint)")
            #expect(try BuiltTool.dump(store) == whole.dump, "store \(number), \(whole.hint)")
            try FileManager.default.removeItem(atPath: store)
        }
        #expect(killed >= Self.kills, "too many of \(Self.stores) runs ended too early, \(whole.hint)")
    }

    /// Resuming a job does not require repeating its options.
    @Test func `a run killed at random moments and resumed by its store alone gives the same result`() throws
    {
        let folder = try TemporaryFolder()
        let (export, catalog) = try Self.enlargedSample(in: folder)
        func arguments(_ store: String) -> [String] {
            [
                "run", "--quiet", "--catalog", catalog, "--db", store, "--map", "publisher=Binding",
                "--limit", "450", "--library", "anna", "--set", "source.settings.batch.records=16",
                "\(ProjectFiles.root)/Pipelines/csv_import.yaml", export,
            ]
        }
        var whole = try UninterruptedRun(folder.file("whole.sqlite"), arguments)

        for number in 1...8 {
            let store = folder.file("store-\(number).sqlite")
            var isKilled = try BuiltTool.killed(arguments(store), afterMilliseconds: whole.moment())
            // A run killed before its job began cannot be resumed: the command is repeated, and gets more time, because
            // other tests may have made the machine much slower than it was for the uninterrupted run.
            for tries in 1...40 where try isKilled && BuiltTool.run(["status", "--db", store]) != 0 {
                isKilled = try BuiltTool.killed(arguments(store), afterMilliseconds: tries * whole.moment())
            }
            for _ in 0..<3 where isKilled {
                isKilled = try BuiltTool.killed(
                    ["resume", "--quiet", "--db", store], afterMilliseconds: whole.moment())
            }
            try #require(
                try BuiltTool.run(["resume", "--quiet", "--db", store]) == 0,
                "store \(number) not resumed, \(whole.hint)")
            #expect(try BuiltTool.dump(store) == whole.dump, "store \(number), \(whole.hint)")
        }
    }

    @Test
    func `a refresh killed at random moments and started again gives the result of an uninterrupted one`()
        throws
    {
        let folder = try TemporaryFolder()
        let (export, catalog) = try Self.enlargedSample(in: folder)
        let imported = folder.file("imported.sqlite")
        try #require(try BuiltTool.run(["import", "--quiet", "--db", imported, export]) == 0)
        let before = try BuiltTool.dump(imported)
        func arguments(_ store: String) -> [String] {
            ["enrich", "--quiet", "--catalog", catalog, "--db", store]
        }
        SampleImport.copy(imported, to: folder.file("whole.sqlite"))
        var whole = try UninterruptedRun(folder.file("whole.sqlite"), arguments)
        #expect(whole.dump != before)
        for number in 1...6 {
            let store = folder.file("store-\(number).sqlite")
            SampleImport.copy(imported, to: store)
            for _ in 0..<4 {
                guard try BuiltTool.killed(arguments(store), afterMilliseconds: whole.moment()) else { break }
            }
            try #require(try BuiltTool.run(arguments(store)) == 0, "store \(number), \(whole.hint)")
            #expect(try BuiltTool.dump(store) == whole.dump, "store \(number), \(whole.hint)")
            while try BuiltTool.dump(store) != before {
                try #require(
                    try BuiltTool.run(["undo", "--quiet", "--last", "--db", store]) == 0, "\(whole.hint)")
            }
        }
    }

    /// A structured format is resumed in the middle, like a table.
    @Test func `a MARC import killed and started again gives the result of an uninterrupted one`() throws {
        let folder = try TemporaryFolder()
        let records = folder.file("records.mrc")
        let collection = (1...2_000).map { number in
            let fields =
                "  <datafield tag=\"245\" ind1=\"1\" ind2=\"0\"><subfield code=\"a\">Book \(number)</subfield></datafield>"
            return
                "<record><leader>00000nam a2200000 a 4500</leader><controlfield tag=\"001\">m\(number)</controlfield>"
                + fields + "</record>"
        }
        try
            ("<collection xmlns=\"http://www.loc.gov/MARC21/slim\">" + collection.joined(separator: "\n")
            + "</collection>").write(toFile: records, atomically: true, encoding: .utf8)
        func arguments(_ store: String) -> [String] {
            [
                "run", "--quiet", "--db", store, "--set", "source.settings.batch.records=16",
                "\(ProjectFiles.root)/Pipelines/csv_import.yaml", records,
            ]
        }
        var whole = try UninterruptedRun(folder.file("whole.sqlite"), arguments)
        for number in 1...6 {
            let store = folder.file("store-\(number).sqlite")
            for _ in 0..<4 {
                guard try BuiltTool.killed(arguments(store), afterMilliseconds: whole.moment()) else { break }
            }
            try #require(
                try BuiltTool.run(arguments(store)) == 0, "store \(number) not resumed, \(whole.hint)")
            #expect(try BuiltTool.dump(store) == whole.dump, "store \(number), \(whole.hint)")
        }
    }

    @Test func `vectors that killed runs have computed are those of an uninterrupted run`() throws {
        let folder = try TemporaryFolder()
        let imported = folder.file("imported.sqlite")
        let export = try Self.enlargedSample(in: folder).export
        try #require(try BuiltTool.run(["import", "--quiet", "--db", imported, export]) == 0)
        func arguments(_ store: String) -> [String] {
            ["embed", "--db", store, "--model", ProjectFiles.sample("model/sample.safetensors")]
        }
        func similar(_ store: String) throws -> String {
            let ending = try BuiltTool.ending([
                "similar", "--json", "--limit", "50", "--db", store, "9780441172719",
            ])
            #expect(ending.errors.isEmpty, "nothing is left to compute")
            return ending.output
        }
        SampleImport.copy(imported, to: folder.file("whole.sqlite"))
        var whole = try UninterruptedRun(folder.file("whole.sqlite"), arguments)
        let answer = try similar(folder.file("whole.sqlite"))
        #expect(answer.contains("similarity"))
        for number in 1...5 {
            let store = folder.file("store-\(number).sqlite")
            SampleImport.copy(imported, to: store)
            for _ in 0..<4 {
                guard try BuiltTool.killed(arguments(store), afterMilliseconds: whole.moment()) else { break }
            }
            try #require(try BuiltTool.run(arguments(store)) == 0, "store \(number), \(whole.hint)")
            #expect(try similar(store) == answer, "store \(number), \(whole.hint)")
        }
    }

    /// Inputs that can only be read from their start are resumed in the middle too.
    @Test
    func `imports of an archive and of a workbook killed and started again give the uninterrupted result`()
        throws
    {
        let folder = try TemporaryFolder()
        let header = ["Book Id", "Title", "Author", "My Rating"]
        let records = (1...2_000).map { ["\($0)", "Book \($0)", "Ana Lee", "4"] }
        let table = ([header] + records).map { $0.joined(separator: ",") + "\n" }.joined()
        let rows = ([header] + records).map { SheetDocument.row($0) }.joined()
        let objects = records.map { "{\"Book Id\": \"\($0[0])\", \"Title\": \"\($0[1])\"}\n" }.joined()
        let inputs = [
            try folder.write(
                ZipBytes.archive(texts: [("a.csv", table), ("b.ndjson", objects)]), to: "exports.zip"),
            try folder.write(SheetDocument.excel([("Books", rows)]), to: "books.xlsx"),
        ]
        for (index, input) in inputs.enumerated() {
            func arguments(_ store: String) -> [String] {
                [
                    "run", "--quiet", "--db", store, "--set", "source.settings.batch.records=16",
                    "\(ProjectFiles.root)/Pipelines/csv_import.yaml", input,
                ]
            }
            var whole = try UninterruptedRun(folder.file("whole-\(index).sqlite"), arguments)
            for number in 1...3 {
                let store = folder.file("store-\(index)-\(number).sqlite")
                for _ in 0..<3 {
                    guard try BuiltTool.killed(arguments(store), afterMilliseconds: whole.moment()) else {
                        break
                    }
                }
                try #require(try BuiltTool.run(arguments(store)) == 0, "\(input) not resumed, \(whole.hint)")
                #expect(try BuiltTool.dump(store) == whole.dump, "\(input), \(whole.hint)")
            }
        }
    }

    /// An enlarged copy of the sample export, and the sample's catalog.
    private static func enlargedSample(in folder: TemporaryFolder) throws -> (export: String, catalog: String)
    {
        let export = folder.file("export.csv")
        try enlarged(ProjectFiles.sample("goodreads_library_export.csv"), copies: 4)
            .write(toFile: export, atomically: true, encoding: .utf8)
        let catalog = folder.file("catalog.sqlite")
        try #require(
            try BuiltTool.run(
                ["catalog", "build", "--quiet", "--out", catalog] + ProjectFiles.catalogSources) == 0)
        return (export, catalog)
    }

    /// Several copies of the sample, each with its own book ids.
    private static func enlarged(_ path: String, copies: Int) throws -> String {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let lines = text.split(separator: "\n", maxSplits: 1)
        guard lines.count == 2 else { return text }
        var all = String(lines[0]) + "\n"
        for copy in 0..<copies { all += lines[1].replacing("\n9900", with: "\n\(copy)9900") + "\n" }
        return all
    }
}

/// A run that was not killed: its result, and how long a run takes.
private struct UninterruptedRun {
    /// The canonical dump of its store.
    let dump: Data
    /// The duration of a run in milliseconds, as far as is known.
    private var milliseconds: Double
    private let seed: UInt64
    private var random: SeededGenerator

    /// Command that repeats a failure.
    var hint: String { "repeat with ETL_KILL_SEED=\(seed)" }

    /// Runs the command for a store to its end.
    init(_ store: String, _ arguments: (String) -> [String]) throws {
        let began = ContinuousClock.now
        try #require(try BuiltTool.run(arguments(store)) == 0)
        milliseconds = (ContinuousClock.now - began) / .milliseconds(1)
        dump = try BuiltTool.dump(store)
        let explicit = ProcessInfo.processInfo.environment["ETL_KILL_SEED"]
        seed =
            try explicit.map { try #require(UInt64($0), "ETL_KILL_SEED is not a number") }
            ?? .random(in: 0...999_999)
        random = SeededGenerator(seed: seed)
    }

    /// Notes that a run from the beginning ended before it was killed: the first run was slowed down by other
    /// tests.
    mutating func shorten() { milliseconds = max(10, milliseconds * 0.75) }

    /// A time in milliseconds from the start at which such a run is most likely still running.
    mutating func moment() -> Int { Int(milliseconds * Double.random(in: 0...0.66, using: &random)) }
}
