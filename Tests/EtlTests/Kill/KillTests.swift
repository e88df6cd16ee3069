import Foundation
import TestSupport
import Testing

/// Promise 1 on the built tool: `kill -9` at two hundred random moments, and the same command again.
@Suite(.serialized) struct KillTests {
    /// How many times a run is killed, in all.
    private static let kills = 200
    /// Kills of one store before it is left to end.
    private static let killsPerStore = 8

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
    func killedAtRandomMomentsAndStartedAgainTheResultIsThatOfAnUninterruptedRun() throws {
        let folder = try TemporaryFolder()
        let export = folder.file("export.csv")
        try Self.enlarged(ProjectFiles.sample("goodreads_library_export.csv"), copies: 4)
            .write(toFile: export, atomically: true, encoding: .utf8)
        let catalog = folder.file("catalog.sqlite")
        try #require(
            try BuiltTool.run(
                ["catalog", "build", "--quiet", "--out", catalog] + ProjectFiles.catalogSources) == 0)

        func arguments(_ store: String) -> [String] {
            [
                "run", "--quiet", "--catalog", catalog, "--db", store, "--set",
                "source.settings.batch.records=16",
                "\(ProjectFiles.root)/Pipelines/csv_import.yaml", export,
            ]
        }
        let whole = folder.file("whole.sqlite")
        let began = ContinuousClock.now
        try #require(try BuiltTool.run(arguments(whole)) == 0)
        let elapsed = (ContinuousClock.now - began).components
        let longest = Int(elapsed.seconds * 1_000 + elapsed.attoseconds / 1_000_000_000_000_000)
        let expected = try BuiltTool.dump(whole)
        #expect(expected.count > 100_000)

        var random = SeededGenerator(seed: UInt64(longest))
        var killed = 0
        var number = 0
        while killed < Self.kills {
            number += 1
            let store = folder.file("store-\(number).sqlite")
            // A run that ended before its time was complete: there is nothing left to kill in this store.
            var isComplete = false
            var lives = 0
            while !isComplete, lives < Self.killsPerStore {
                lives += 1
                let after = Int.random(in: 0...max(1, longest * 2 / 3), using: &random)
                isComplete = try !BuiltTool.killed(arguments(store), afterMilliseconds: after)
                if !isComplete { killed += 1 }
            }
            try #require(try BuiltTool.run(arguments(store)) == 0, "store \(number) could not be resumed")
            #expect(try BuiltTool.dump(store) == expected, "store \(number), seed \(longest)")
            try FileManager.default.removeItem(atPath: store)
        }
    }

    /// Who resumes a job need not say again what it was begun with.
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
    func killedAtRandomMomentsAndResumedByNothingButItsStoreTheResultIsTheSame() throws {
        let folder = try TemporaryFolder()
        let export = folder.file("export.csv")
        try Self.enlarged(ProjectFiles.sample("goodreads_library_export.csv"), copies: 4)
            .write(toFile: export, atomically: true, encoding: .utf8)
        let catalog = folder.file("catalog.sqlite")
        try #require(
            try BuiltTool.run(
                ["catalog", "build", "--quiet", "--out", catalog] + ProjectFiles.catalogSources) == 0)
        func arguments(_ store: String) -> [String] {
            [
                "run", "--quiet", "--catalog", catalog, "--db", store, "--map", "publisher=Binding",
                "--limit", "450", "--library", "anna", "--set", "source.settings.batch.records=16",
                "\(ProjectFiles.root)/Pipelines/csv_import.yaml", export,
            ]
        }
        let whole = folder.file("whole.sqlite")
        let began = ContinuousClock.now
        try #require(try BuiltTool.run(arguments(whole)) == 0)
        let elapsed = (ContinuousClock.now - began).components
        let longest = Int(elapsed.seconds * 1_000 + elapsed.attoseconds / 1_000_000_000_000_000)
        let expected = try BuiltTool.dump(whole)

        var random = SeededGenerator(seed: UInt64(longest))
        for number in 1...8 {
            let store = folder.file("store-\(number).sqlite")
            func moment() -> Int { Int.random(in: 0...max(1, longest * 2 / 3), using: &random) }
            var isKilled = try BuiltTool.killed(arguments(store), afterMilliseconds: moment())
            // Killed before its job began there is nothing to resume: then the command is given again.
            while isKilled, try BuiltTool.run(["status", "--db", store]) != 0 {
                isKilled = try BuiltTool.killed(arguments(store), afterMilliseconds: moment())
            }
            for _ in 0..<3 where isKilled {
                isKilled = try BuiltTool.killed(
                    ["resume", "--quiet", "--db", store], afterMilliseconds: moment())
            }
            try #require(try BuiltTool.run(["resume", "--quiet", "--db", store]) == 0)
            #expect(try BuiltTool.dump(store) == expected, "store \(number), seed \(longest)")
        }
    }

    /// A format with a syntax of its own is resumed in the middle as a table is.
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
    func anImportOfMARCKilledAndStartedAgainIsThatOfAnUninterruptedRun() throws {
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
        let whole = folder.file("whole.sqlite")
        let began = ContinuousClock.now
        try #require(try BuiltTool.run(arguments(whole)) == 0)
        let elapsed = (ContinuousClock.now - began).components
        let longest = Int(elapsed.seconds * 1_000 + elapsed.attoseconds / 1_000_000_000_000_000)
        let expected = try BuiltTool.dump(whole)
        var random = SeededGenerator(seed: UInt64(longest))
        for number in 1...6 {
            let store = folder.file("store-\(number).sqlite")
            for _ in 0..<4 {
                let after = Int.random(in: 0...max(1, longest * 2 / 3), using: &random)
                guard try BuiltTool.killed(arguments(store), afterMilliseconds: after) else { break }
            }
            _ = try BuiltTool.run(arguments(store))
            #expect(try BuiltTool.dump(store) == expected, "store \(number), seed \(longest)")
        }
    }

    /// The sample several times over, each copy with book ids of its own.
    private static func enlarged(_ path: String, copies: Int) throws -> String {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let lines = text.split(separator: "\n", maxSplits: 1)
        guard lines.count == 2 else { return text }
        var all = String(lines[0]) + "\n"
        for copy in 0..<copies { all += lines[1].replacing("\n9900", with: "\n\(copy)9900") + "\n" }
        return all
    }
}
