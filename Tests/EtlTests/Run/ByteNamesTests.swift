import Foundation
import System
import TestSupport
import Testing

/// The tool with names that are not UTF-8, for all kinds of files.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ByteNamesTests {
    /// Runs shell lines in a folder whose name is not UTF-8. `$C` and `$D` are names of files.
    private func run(_ lines: String...) throws -> BuiltTool.Ending {
        let folder = try TemporaryFolder()
        let start = [
            "set -e", "export TMPDIR=\"$(printf '\(folder.path)/t\\376')\"", "mkdir \"$TMPDIR\"",
            "mkdir \"$(printf '\(folder.path)/d\\377')\"", "cd \"$(printf '\(folder.path)/d\\377')\"",
            "C=$(printf 'caf\\351.csv')", "D=$(printf 'lib\\377.sqlite')",
            "printf 'Title,Author,ISBN13\\nDune,Frank Herbert,9780441013593\\nEmma,Jane Austen,\\n' > \"$C\"",
        ]
        let said = try BuiltTool.shell((start + lines).joined(separator: "\n"))
        #expect(FileName.isText(said.output) && FileName.isText(said.errors), "\(said)")
        return said
    }

    @Test func `an import, its job and the books in it`() throws {
        let said = try run(
            "\"$ETL\" import --offline --job first --db \"$D\" \"$C\"", "\"$ETL\" jobs --db \"$D\"",
            "\"$ETL\" search --db \"$D\" dune",
            "\"$ETL\" doctor --db \"$D\"",
            "ETL_DB=$D \"$ETL\" export --format csv > \"$(printf 'out\\351')\"", "ls -b")
        #expect(said.status == 0, "\(said)")
        #expect(said.output.contains("caf\\xE9.csv"))
        #expect(said.output.contains("Frank Herbert"))
        for name in ["caf\\351.csv", "lib\\377.sqlite", "lib\\377.sqlite.search", "out\\351"] {
            #expect(said.output.contains("\n\(name)\n"), "\(said.output)")
        }
        #expect(!said.output.contains("\u{FFFD}"), "no file of another name")
    }

    @Test func `paths from another folder, changes and their undo`() throws {
        let said = try run(
            "P=$PWD", "\"$ETL\" import --offline --job first --limit 1 --db \"$D\" \"$C\"", "cd /",
            "\"$ETL\" import --offline --quiet --db \"$P/$D\" \"$P/$C\"",
            "\"$ETL\" export --db \"$P/$D\" --format csv",
            "\"$ETL\" undo --db \"$P/$D\" --with-later first")
        #expect(said.status == 0, "\(said)")
        #expect(said.output.contains("Emma") && said.output.contains("Dune"))
    }

    @Test func `patterns, standard input, copies, and formats that need temporary files`() throws {
        let said = try run(
            "\"$ETL\" import --offline --quiet --db \"$D\" \"$(printf 'caf\\351*')\"",
            "\"$ETL\" import --offline --quiet --db \"$D\" - < \"$C\"",
            "\"$ETL\" import --offline --quiet --db \"$D\" --dry-run \"$C\"",
            "\"$ETL\" export --db \"$D\" --format xlsx --output \"$(printf 'x\\351.xlsx')\"",
            "\"$ETL\" export --db \"$D\" --format calibre-library --output \"$(printf 'p\\351')\"",
            "\"$ETL\" convert --to goodreads \"$(printf 'x\\351.xlsx')\"",
            "\"$ETL\" import --offline --quiet --db \"$(printf 'e\\351')\" \"$D\"",
            "ls -b \"$TMPDIR\" . \"$(printf 'p\\351')\"")
        #expect(said.status == 0, "\(said)")
        #expect(said.output.contains("Frank Herbert"))
        for name in ["x\\351.xlsx", "e\\351"] {
            #expect(said.output.contains(name), "\(said.output)")
        }
        #expect(!said.output.contains(".part") && !said.output.contains("stdin"))
    }

    @Test func `a catalog is built and asked`() throws {
        let said = try run(
            "printf '/type/author\\t/authors/OL1A\\t1\\t2020-01-01T00:00:00\\t{\"key\":\"/authors/OL1A\",\"name\":\"Frank Herbert\"}\\n' > \"$(printf 'ol_dump_authors\\351.txt')\"",
            "printf '/type/work\\t/works/OL1W\\t1\\t2020-01-01T00:00:00\\t{\"key\":\"/works/OL1W\",\"title\":\"Dune\",\"authors\":[{\"author\":{\"key\":\"/authors/OL1A\"}}]}\\n' > \"$(printf 'ol_dump_works\\351.txt')\"",
            "\"$ETL\" catalog build --quiet --out \"$(printf 'k\\351.catalog')\" \"$(printf 'ol_dump_authors\\351.txt')\" \"$(printf 'ol_dump_works\\351.txt')\"",
            "\"$ETL\" import --offline --quiet --catalog \"$(printf 'k\\351.catalog')\" --db \"$D\" \"$C\"",
            "\"$ETL\" explain --db \"$D\" 9780441013593", "ls -b")
        #expect(said.status == 0, "\(said)")
        #expect(said.output.contains("\nk\\351.catalog\n") && said.output.contains("OL1W"), "\(said)")
    }

    @Test func `definitions, rules, moved files, logs and caches`() throws {
        let said = try run(
            "P=$(printf 'p\\351.yaml')", "cp '\(ProjectFiles.root)/Pipelines/csv_import.yaml' \"$P\"",
            "echo 'shelves: {}' > \"$(printf 'r\\351.yaml')\"", "\"$ETL\" check \"$P\"",
            "\"$ETL\" import --offline --quiet --log l --rules \"$(printf 'r\\351.yaml')\" --job first --db \"$D\" \"$C\"",
            "cat l", "mv \"$C\" \"$(printf 'moved\\353.csv')\"",
            "\"$ETL\" resume --quiet --db \"$D\" --job first \"$(printf 'moved\\353.csv')\"",
            "\"$ETL\" cache export --db \"$D\" > \"$(printf 'k\\351')\"",
            "\"$ETL\" cache import --db \"$D\" \"$(printf 'k\\351')\"", "cp \"$D\" library.sqlite",
            "\"$ETL\" run '\(ProjectFiles.root)/Pipelines/migrations/store_to_postgresql.yaml'", "ls -b")
        #expect(said.status == 0, "\(said)")
        #expect(said.output.contains("caf\\xE9.csv") && said.output.contains("postgresql"), "\(said)")
    }

    @Test func `names that look alike are different files`() throws {
        let said = try run(
            // é in one character, and as e with a mark.
            "A=$(printf '\\303\\251.sqlite')", "B=$(printf 'e\\314\\201.sqlite')",
            "\"$ETL\" import --offline --quiet --db \"$A\" \"$C\"",
            // Files that a killed run of the other library has left.
            "S=\"$B.1b4e28ba-2fa1-11d2-883f-0016d3cca427.stdin\"", "echo kept > \"$S\"",
            "echo kept > \"$B.dry-run-01234567.owner\"",
            "\"$ETL\" import --offline --quiet --db \"$A\" - < \"$C\"",
            "\"$ETL\" import --offline --quiet --dry-run --db \"$A\" \"$C\"",
            "\"$ETL\" export --format xlsx --output \"$B\" --db \"$A\"",
            "cat \"$S\" \"$B.dry-run-01234567.owner\"")
        #expect(said.status == 0, "\(said)")
        #expect(said.output == "kept\nkept\n", "\(said)")
    }

    @Test func `a name that begins with a mark is in its folder`() throws {
        let said = try run(
            "M=$(printf '\\314\\201')", "mkdir d", "echo kept > out.xlsx", "ln -s out.xlsx \"d/${M}o.xlsx\"",
            "\"$ETL\" import --offline --quiet --db=\"${M}l.sqlite\" \"$C\"", "cp \"$C\" \"d/${M}1.csv\"",
            "\"$ETL\" import --offline --quiet --db=\"${M}l.sqlite\" \"d/*$M[0-9].csv\"",
            "\"$ETL\" export --quiet --format xlsx --output \"d/${M}o.xlsx\" --db \"${M}l.sqlite\"",
            "cat out.xlsx",
            "LC_ALL=C ls d")
        #expect(said.status == 0, "\(said)")
        #expect(FileName.middle(of: said.output, from: "kept\nout.xlsx\n") != nil, "\(said)")
    }

    @Test(arguments: ["keep.xlsx/", "none/", "loop"])
    func `an output that cannot be a file is refused, and nothing is replaced`(path: String) throws {
        let said = try run(
            "echo kept > keep.xlsx", "ln -s loop loop", "\"$ETL\" import --offline --quiet --db s \"$C\"",
            "\"$ETL\" export --format xlsx --output \(path) --db s || echo \"status $?\"", "cat keep.xlsx",
            "readlink loop")
        #expect(said.output == "status 73\nkept\nloop\n", "\(said)")
    }

    @Test func `a file that is not there is named with its bytes`() throws {
        let said = try run(
            "\"$ETL\" import --offline --db \"$D\" \"$(printf 'no\\351.csv')\" || echo \"status $?\"")
        #expect(said.output.contains("status 66"), "\(said)")
        #expect(said.errors.contains("no\\xE9.csv"), "\(said.errors)")
    }
}
