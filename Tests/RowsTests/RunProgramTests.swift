import Glibc
import Pipeline
import System
import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import Rows

@Suite struct RunProgramTests {
    private func run(
        _ command: [String], _ rows: [[String]] = RowBatch.books, limit: Duration = .seconds(60),
        restarts: Int = 0, adds: [String] = [], mostRows: Int = 1, stop: StopSignal = StopSignal()
    ) async throws -> Batch<LibraryRows> {
        try await RunProgram(
            command, timeLimit: limit, restarts: restarts, adds: adds, mostRows: mostRows,
            interpreter: RowBatch.interpreter, stop: stop
        ).process(RowBatch.make(rows))
    }

    /// A shell program that runs a `case` branch for matching lines, and repeats the others.
    private static func shell(_ branch: String) -> [String] {
        ["sh", "-c", "while read -r line; do case $line in \(branch) esac; echo \"$line\"; done"]
    }

    @Test func `a program changes cells, and the row is interpreted again`() async throws {
        let out = try await run(["sed", "-u", #"s/"Title":"Dune"/"Title":"Emma (Highbury, #2)"/"#])
        #expect(out.records == [2, 3, 4, 5])
        #expect(out.payload.arena[out.payload.rows[1].title] == "Emma")
        #expect(out.payload.rows[1].series.count == 1)
        #expect(out.cells[0] == RowBatch.books[0])
    }

    @Test func `a program inherits only its standard streams`() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        // The pipe of this process would be open in the program under the same number.
        let out = try await run(
            Self.shell(#"*Frank*) [ -e /proc/$$/fd/\#(ends[1]) ] && exit 3;;"#), RowBatch.books)
        #expect(out.rejects.isEmpty && out.records == [2, 3, 4, 5])
    }

    @Test func `an answer may name only what changes, by column or by field`() async throws {
        let out = try await run(
            ["sed", "-u", #"s/^{\("$row":[0-9]*\),.*/{"Shelf Mark":null,"language":"fr","rating":4,\1}/"#],
            adds: ["language"])
        #expect(out.cells[0] == RowBatch.books[0].dropLast(4) + ["4", "2024/05/18", "183", "", "fr"])
        #expect(out.payload.columns[.language] == 7)
    }

    @Test func `a program rejects and drops rows with its own words`() async throws {
        let out = try await run([
            "sed", "-u",
            #"s/^{\("$row":[0-9]*\),.*Frank.*/{\1,"$reject":"Not \\"this\\" one."}/;s/^{\("$row":[0-9]*\),.*Nobody.*/{\1,"$drop":true}/"#,
        ])
        #expect(out.records == [2, 4])
        #expect(out.codes == [3: "program_rejected", 5: "filtered_out"])
        #expect(
            out.rejects.first { $0.code == "program_rejected" }?.message.contains(#"Not "this" one."#) == true
        )
    }

    @Test(arguments: [0, 2])
    func `a row at which the program ends is rejected, and the others pass`(restarts: Int) async throws {
        let out = try await run(Self.shell("*Frank*) exit 3;;"), restarts: restarts)
        #expect(out.records == [2, 4, 5])
        #expect(
            out.rejects.map(\.message).first?.contains("The program ended with status 3 without an answer.")
                == true)
    }

    @Test func `a row that the program does not answer in time is rejected`() async throws {
        let out = try await run(Self.shell("*Nobody*) sleep 300;;"), limit: .seconds(3))
        #expect(out.records == [2, 3, 4])
        #expect(out.rejects.map(\.message).first?.contains("did not answer within 3s") == true)
    }

    @Test func `an answer that is not an object, or sets an unknown column, rejects the row`() async throws {
        let out = try await run([
            "sed", "-u",
            #"s/.*Frank.*/[1]/;s/.*"$row":4.*/{"$row":4,"New":"x"}/;s/.*Nobody.*/{"$row":5,"Title":{}}/"#,
        ])
        #expect(out.records == [2])
        #expect(Set(out.codes.values) == ["program_rejected"])
        #expect(out.rejects.contains { $0.message.contains("It set `New`") })
    }

    @Test func `an answer about another row ends the run`() async throws {
        await #expect(throws: ETLError.self) {
            _ = try await run(["sed", "-u", #"s/"$row":3/"$row":4/"#])
        }
    }

    @Test(arguments: [["/no/such/program"], ["no-such-program-in-path", "x"]])
    func `a program that cannot be started ends the run`(command: [String]) async throws {
        do {
            _ = try await run(command)
            Issue.record("no failure")
        } catch let failure as ETLError {
            #expect(failure.kind == .missing)
            #expect(failure.message.contains("`\(command[0])` cannot be started"))
        }
    }

    @Test func `a program can have a name that is not UTF-8`() async throws {
        let folder = try TemporaryFolder()
        let program = folder.path + "/c\u{10FEE9}t"
        #expect(program.withFileName { symlink("/bin/cat", $0) } == 0)
        #expect(try await run([program]).records == [2, 3, 4, 5])
    }

    @Test func `more than the pipes hold is exchanged without a deadlock`() async throws {
        let long = String(repeating: "x", count: 3_000)
        let rows = (0..<1_000).map { ["\($0)", "Title \($0)", long, "", "", "", ""] }
        let out = try await run(["cat"], rows)
        #expect(out.records.count == 1_000)
        #expect(out.rejects.isEmpty)
    }

    @Test func `batches are processed at once by programs of their own`() async throws {
        let stage = RunProgram(
            ["cat"], timeLimit: .seconds(60), restarts: 0, adds: [], interpreter: RowBatch.interpreter)
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await stage.process(RowBatch.make(RowBatch.books, first: 2 + number * 10)).records
                        .count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(counts == 32)
    }

    // MARK: Several rows of one

    /// A program that answers the row about Dune by a list, and repeats the others.
    private static func list(_ list: String) -> [String] {
        ["sed", "-u", #"s/^{\("$row":[0-9]*\),.*Frank.*/[\#(list)]/"#]
    }

    @Test func `a list makes several rows, each with the cells that it does not change`() async throws {
        let out = try await run(
            Self.list(
                #"{\1,"Title":"Dune (Dune, #1)"},{\1},{\1,"Title":"Dune Messiah (Dune, #2)","Book Id":"2b"}"#),
            mostRows: 3)
        #expect(out.records == [2, 3, 3, 3, 4, 5] && out.rejects.isEmpty)
        let titles = out.payload.rows.map { out.payload.arena[$0.title] }
        #expect(titles == ["A Wizard of Earthsea", "Dune", "Dune", "Dune Messiah", "dune", ""])
        #expect(out.payload.rows.map(\.series.count) == [1, 1, 0, 1, 0, 0])
        #expect(out.cells[2] == RowBatch.books[1])
        #expect(out.cells[3] == ["2b", "Dune Messiah (Dune, #2)"] + RowBatch.books[1].dropFirst(2))
    }

    @Test func `rows after rejected and dropped ones keep their own changes`() async throws {
        let out = try await run(
            [
                "sed", "-u",
                #"s/^{\("$row":2\),.*/{\1,"$drop":true}/;s/^{\("$row":3\),.*/[{\1,"Title":"A"},{\1,"Title":"B"}]/;"#
                    + #"s/^{\("$row":4\),.*/{\1,"$reject":"No."}/;s/^{\("$row":5\),.*/{\1,"Title":"C"}/"#,
            ], mostRows: 2)
        #expect(out.records == [3, 3, 5])
        #expect(out.payload.rows.map { out.payload.arena[$0.title] } == ["A", "B", "C"])
        #expect(out.codes == [2: "filtered_out", 4: "program_rejected"])
    }

    @Test(arguments: [
        (#"{\1},{\1},{\1}"#, "The program made 3 rows of it, but `mostRows` is 2."),
        (#"{\1},{\1,"$reject":"No."}"#, "`$reject` or `$drop`"),
        (#"{\1},{\1,"$drop":true}"#, "`$reject` or `$drop`"), (#"{\1},{\1,"New":"x"}"#, "It set `New`"),
        (#"{\1},7"#, "not a JSON object"), (#"{\1},[{\1}]"#, "not a JSON object"),
        (#"{\1},{\1,"#, "not a JSON object"),
    ])
    func `a list that is wrong rejects its row once, and the others pass`(
        list: String, words: String
    ) async throws {
        let out = try await run(Self.list(list), mostRows: 2)
        #expect(out.records == [2, 4, 5])
        #expect(out.codes == [3: "program_rejected"] && out.rejects.count == 1)
        #expect(out.rejects.first?.message.contains(words) == true, "\(out.rejects.map(\.message))")
    }

    @Test func `an empty list sets the row aside, and one row needs no setting`() async throws {
        #expect(try await run(Self.list("")).codes == [3: "filtered_out"])
        #expect(try await run(Self.list(#"{\1,"Title":"Emma"}"#)).records == [2, 3, 4, 5])
        #expect(try await run(Self.list(#"{\1},{\1}"#)).codes == [3: "program_rejected"])
    }

    @Test func `a list about another row, or a second line for a row, ends the run`() async throws {
        for command in [Self.list(#"{\1},{"$row":9}"#), ["sed", "-u", "p"]] {
            await #expect(throws: ETLError.self) { _ = try await run(command, mostRows: 5) }
        }
    }

    @Test func `a program that dies within a list gets the row again, and one that never ends it is stopped`()
        async throws
    {
        let dying = try await run(
            Self.shell(#"*Frank*) printf '[{"$row":3},'; exit 3;;"#), restarts: 1, mostRows: 5)
        #expect(dying.records == [2, 4, 5] && dying.rejects.count == 1)
        // Reading 16 MiB takes minutes under a sanitizer.
        let endless = try await run(
            Self.shell(#"*Frank*) printf '['; cat /dev/zero;;"#), limit: .seconds(1_000), mostRows: 5)
        #expect(endless.records == [2, 4, 5])
        #expect(endless.rejects.first?.message.contains("longer than 16 MiB") == true)
        let silent = try await run(
            Self.shell(#"*Frank*) printf '[{"$row":3},'; sleep 300;;"#), limit: .seconds(2), mostRows: 5)
        #expect(silent.records == [2, 4, 5])
    }

    @Test func `a stopped run does not wait for a program`() async throws {
        let stop = StopSignal()
        stop.raise()
        do {
            _ = try await run(["sh", "-c", "sleep 300"], stop: stop)
            Issue.record("no failure")
        } catch let failure as ETLError {
            // The batch is read again by the next run.
            #expect(failure.kind == .transient)
        }
    }
}
