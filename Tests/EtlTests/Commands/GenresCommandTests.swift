import Foundation
import TestSupport
import Testing

/// `etl genres` as users run it.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct GenresCommandTests: ImportsByTool {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `each line of input becomes a line of output, whatever its end`() throws {
        let ending = try BuiltTool.ending(["genres"], input: "Thrillers\r\n\nDeaf-blind people\nSF; Fantasy")
        #expect(ending.status == 0)
        #expect(ending.output == "[\"Thriller\"]\n[]\n[]\n[\"Science Fiction\",\"Fantasy\"]\n")
    }

    #if !THREAD_SANITIZER
    // The sanitizer does not run with limited memory.
    @Test func `a line without end is refused in bounded memory`() throws {
        let ending = try BuiltTool.shell(
            "(echo Horror; head -c 300000000 /dev/zero | tr '\\0' a) | (ulimit -v 2000000; exec \"$ETL\" genres)"
        )
        #expect(ending.status == 65)
        #expect(ending.output == "[\"Horror\"]\n")
        #expect(ending.errors.contains("Line 2 of standard input is longer than 1.0 MiB"))
    }
    #endif

    @Test func `rules come from the option or the configuration`() throws {
        let rules = try folder.write("genres: {Cli-Fi: [cli-fi]}\n", to: "rules.yaml")
        let named = try BuiltTool.ending(["genres", "--rules", rules, "cli-fi"])
        #expect(named.output == "[\"Cli-Fi\"]\n")
        let home = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: home.file("etl"), withIntermediateDirectories: true)
        // The path is relative to the file that names it.
        _ = try home.write(
            "stages: { NormalizeGenres: { settings: { rules: my.yaml } } }\n", to: "etl/config.yaml")
        _ = try home.write("genres: {Mine: [horror]}\n", to: "etl/my.yaml")
        let environment = ["XDG_CONFIG_HOME": home.file("")]
        let configured = try BuiltTool.ending(["genres", "Horror"], environment: environment)
        #expect(configured.output == "[\"Mine\"]\n", "\(configured.errors)")
        let file = try folder.write("Title,Author,Bookshelves\nA,B,horror\n", to: "a.csv")
        let imported = try BuiltTool.ending(["import", "--db", store, file], environment: environment)
        #expect(imported.status == 0, "\(imported.errors)")
        #expect(try BuiltTool.ending(["export", "--db", store]).output.contains("\"Mine\""))
        _ = try home.write("stages: { NormaliseGenres: {} }\n", to: "etl/config.yaml")
        let misspelled = try BuiltTool.ending(["genres", "Horror"], environment: environment)
        #expect(misspelled.status == 78 && misspelled.errors.contains("Did you mean `NormalizeGenres`?"))
    }

    @Test func `terms without a genre are listed with their counts`() throws {
        #expect(
            try importing("Title,Author,Bookshelves\nA,B,\"cats, horror\"\nC,D,\"cats,zzz\"\n").status == 0)
        let table = try BuiltTool.ending(["genres", "--unmapped", "--db", store, "--limit", "1"])
        #expect(table.output.contains("2  cats  shelf   Nature"), "\(table.output)")
        #expect(!table.output.contains("zzz") && table.errors.contains("1 more"))
        let json = try BuiltTool.ending(["genres", "--unmapped", "--db", store, "--json"])
        #expect(
            json.output == """
                [{"term":"cats","source":"shelf","count":2,"hints":["Nature"]},\
                {"term":"zzz","source":"shelf","count":1,"hints":[]}]

                """)
        #expect(try BuiltTool.ending(["genres", "--unmapped", "Fiction"]).status == 64)
        #expect(try BuiltTool.ending(["genres", "--limit", "1", "Fiction"]).status == 64)
    }
}
