package import Books
import Bytes
package import Pipeline
import Syntax
package import System

/// Sends each row to a program and stores its answers.
///
/// The program gets one JSON object per line, with `$row`, the number of the row, and the row's cells under the
/// names of their columns. It answers each line by one line: the object with `$row` and the columns that
/// change; a list of such objects, which makes several rows of one; or `{"$row": 7, "$reject": "why"}` or
/// `{"$row": 7, "$drop": true}`. A changed row is interpreted again, as if the file had had these cells. The same
/// line must always be answered alike, because rows are sent again after an interruption.
package struct RunProgram: Stage {
    /// The program and its arguments.
    package static let command = Setting<[String]>.phrases(
        "command", mustBe: "a program and its arguments, such as [python3, clean.py]", isRequired: true,
        fallback: [], "The program, found in the search path, and its arguments."
    ) { (texts) throws(PhraseMistake) in
        guard let program = texts.first, !program.isEmpty else {
            throw PhraseMistake("The program has no name.")
        }
        return texts
    }
    /// Time limit of one answer.
    package static let timeLimit = Setting.duration(
        "timeLimit", default: .seconds(30), in: .milliseconds(1)...(.seconds(86_400)),
        "Time limit of the program for one row.")
    /// Maximum number of restarts of the program.
    package static let restarts = Setting.integer(
        "restarts", default: 2, in: 0...100,
        "Maximum number of restarts of the program at one row before the row is rejected.")
    /// The columns that the program may add.
    package static let adds = Setting.list(
        "adds", "Columns that the program adds, by any name or by the name of a field such as `language`.")
    /// Maximum number of rows from one. It bounds the memory of a batch.
    package static let mostRows = Setting.integer(
        "mostRows", default: 1, in: 1...100,
        "Maximum number of rows from one row, if the program answers a list of objects.")

    private let command: [String]
    private let timeLimit: Duration
    private let attempts: Int
    private let adds: [String]
    private let mostRows: Int
    private let interpreter: any RowInterpreter
    private let name: String
    private let stop: StopSignal
    /// Programs without work: one is started for each concurrent batch.
    private let idle = Guarded<[LineProgram]>([])

    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - timeLimit: Time limit of one row.
    ///   - restarts: Maximum number of restarts at one row.
    ///   - adds: Columns or fields that it may set although the file lacks them.
    ///   - mostRows: Maximum number of rows from one row.
    ///   - interpreter: Interprets the changed rows.
    ///   - name: The stage's name in rejects.
    ///   - stop: Once it is raised, no answer is waited for.
    package init(
        _ command: [String], timeLimit: Duration, restarts: Int, adds: [String], mostRows: Int = 1,
        interpreter: any RowInterpreter, name: String = "RunProgram", stop: StopSignal = StopSignal()
    ) {
        self.command = command
        self.timeLimit = timeLimit
        attempts = restarts + 1
        self.adds = adds
        self.mostRows = mostRows
        self.interpreter = interpreter
        self.name = name
        self.stop = stop
    }

    /// Whether one row may become several.
    package var mayMultiply: Bool { mostRows > 1 }

    /// A batch whose answers a stopped run did not wait for is read again by the next run.
    package var retriesTransientFailures: Bool { true }

    /// Rows keep their order. Throws if the program cannot be started, or answers another row than it was
    /// asked.
    package func process(
        _ batch: consuming Batch<LibraryRows>
    ) async throws(ETLError) -> Batch<LibraryRows> {
        guard !batch.payload.rows.isEmpty else { return batch }
        let columns = batch.payload.columns.namedColumns
        let lines = batch.payload.rows.indices.map { batch.payload.object(ofRow: $0, columns) }
        let program =
            idle.withLock { $0.popLast() }
            ?? LineProgram(command, timeLimit: timeLimit, attempts: attempts, stop: stop)
        let answers = try await program.answers(to: lines)
        idle.withLock { $0.append(program) }

        _ = batch.payload.addColumns(for: adds.map(Self.target))
        var rejected: [Int: (code: ReasonCode, details: String)] = [:]
        var changes: [(row: Int, cells: [ProgramAnswer.Cell])] = []
        var rows: [LibraryRow] = []
        rows.reserveCapacity(answers.count)
        for (number, answer) in answers.enumerated() {
            let row = batch.payload.rows[number]
            let answer = try ProgramAnswer(
                answer, row: row.position.record, program: command[0], atMost: mostRows)
            switch Self.knowingColumns(answer, batch.payload.columns) {
            case .rejected(let why): rejected[rows.count] = (.programRejected, why)
            case .dropped: rejected[rows.count] = (.filteredOut, "")
            case .rows(let parts):
                for cells in parts.dropLast() {
                    changes.append((rows.count, cells))
                    rows.append(batch.payload.copy(of: row))
                }
                changes.append((rows.count, parts[parts.count - 1]))
            }
            rows.append(row)
        }
        batch.payload.rows = rows
        var changed: [Int] = []
        var names: Set<String> = []
        for (number, cells) in changes {
            var isChanged = false
            for cell in cells {
                guard let column = batch.payload.columns.column(named: cell.name),
                    batch.payload.set(cell.text, column: column, ofRow: number)
                else { continue }
                isChanged = true
                names.insert(batch.payload.columns.names[column])
            }
            if isChanged { changed.append(number) }
        }
        let reasons = rejected
        let removed = reasons.keys.sorted()
        batch.reject(removed, by: name) { number, _ in reasons[number] ?? (.programRejected, "") }
        var passed = removed[...]
        let remaining = changed.map { number in
            passed = passed.drop { $0 < number }
            return number - (removed.count - passed.count)
        }
        try interpreter.interpret(remaining, of: &batch, changed: names, stage: name)
        return batch
    }

    /// An answer that sets a column which does not exist rejects the row.
    private static func knowingColumns(_ answer: ProgramAnswer, _ columns: ColumnMap) -> ProgramAnswer {
        guard case .rows(let parts) = answer,
            let unknown = parts.joined().first(where: { columns.column(named: $0.name) == nil })
        else { return answer }
        return .rejected("It set `\(unknown.name)`, which neither the file nor `adds` has.")
    }

    private static func target(_ name: String) -> Assignment.Target {
        RowFields.schema.index(of: name).flatMap { RowFields.isSettable($0) ? .field($0) : nil }
            ?? .column(name)
    }
}

extension LibraryRows {
    /// A row of the same record with its own cells, not yet among the rows.
    mutating func copy(of row: LibraryRow) -> LibraryRow {
        var copy = row
        let start = cells.count
        cells.append(contentsOf: cells[row.cells])
        copy.cells = start..<cells.count
        return copy
    }

    /// A row as a JSON object: its number, and its cells under the names of their columns.
    ///
    /// - Parameter named: The columns, from ``ColumnMap/namedColumns``.
    func object(ofRow number: Int, _ named: [(column: Int, name: String)]) -> [UInt8] {
        var json = JSONWriter()
        let row = rows[number]
        json.beginObject()
        json.key("$row")
        json.integer(Int64(row.position.record))
        for (column, name) in named {
            json.key(name)
            arena.withBytes(cell(column: column, of: row)) { json.string(utf8: $0) }
        }
        json.endObject()
        return json.bytes
    }
}

extension ColumnMap {
    /// The columns whose name is a key in a row's JSON object. Of columns with one name, the first.
    var namedColumns: [(column: Int, name: String)] {
        var seen: Set<String> = []
        return names.enumerated().compactMap { column, name in
            !name.isEmpty && !name.hasPrefix("$") && seen.insert(name).inserted ? (column, name) : nil
        }
    }

    /// The column with a name, or else the column of the field with that name.
    func column(named name: String) -> Int? {
        names.firstIndex(of: name)
            ?? RowFields.schema.index(of: name).flatMap { RowFields.field($0) }.flatMap { self[$0] }
    }
}
