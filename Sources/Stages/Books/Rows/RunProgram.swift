import Bytes
public import Pipeline
import Syntax

/// Sends each row to a program and stores what it answers.
///
/// The program gets one JSON object per line, with `$row`, the number of the row, and the row's cells under the
/// names of their columns. It answers each line by one line: the object with `$row` and the columns that
/// change; or `{"$row": 7, "$reject": "why"}` or `{"$row": 7, "$drop": true}`. A changed row is interpreted
/// again, as if the file had had these cells. The same line must always be answered alike, because rows are
/// sent again after an interruption.
public struct RunProgram: Stage {
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
    /// How long one answer may take.
    package static let timeLimit = Setting.duration(
        "timeLimit", default: .seconds(30), in: .milliseconds(1)...(.seconds(86_400)),
        "How long the program may take for one row.")
    /// How often the program is started again.
    package static let restarts = Setting.integer(
        "restarts", default: 2, in: 0...100,
        "How often the program is started again at one row before the row is rejected.")
    /// The columns that the program may add.
    package static let adds = Setting.list(
        "adds", "Columns that the program adds, by any name or by the name of a field such as `language`.")

    private let command: [String]
    private let timeLimit: Duration
    private let attempts: Int
    private let adds: [String]
    private let interpreter: any RowInterpreter
    private let name: String
    /// Programs without work: as many are started as batches are processed at once.
    private let idle = Guarded<[LineProgram]>([])

    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - timeLimit: How long it may take for one row.
    ///   - restarts: How often it is started again at one row.
    ///   - adds: Columns or fields that it may set although the file lacks them.
    ///   - interpreter: Interprets the changed rows.
    ///   - name: The stage's name in rejects.
    package init(
        _ command: [String], timeLimit: Duration, restarts: Int, adds: [String],
        interpreter: any RowInterpreter, name: String = "RunProgram"
    ) {
        self.command = command
        self.timeLimit = timeLimit
        attempts = restarts + 1
        self.adds = adds
        self.interpreter = interpreter
        self.name = name
    }

    /// Rows keep their order. Throws if the program cannot be started, or answers another row than it was
    /// asked.
    public func process(
        _ batch: consuming Batch<LibraryRows>
    ) async throws(StageFailure) -> Batch<LibraryRows> {
        guard !batch.payload.rows.isEmpty else { return batch }
        let columns = batch.payload.columns.namedColumns
        let lines = batch.payload.rows.indices.map { batch.payload.object(ofRow: $0, columns) }
        let program =
            idle.withLock { $0.popLast() } ?? LineProgram(command, timeLimit: timeLimit, attempts: attempts)
        let answers = try await program.answers(to: lines)
        idle.withLock { $0.append(program) }

        _ = batch.payload.addColumns(for: adds.map(Self.target))
        var changed: [Int] = []
        var names: Set<String> = []
        var rejected: [Int: (code: ReasonCode, details: String)] = [:]
        for (number, answer) in answers.enumerated() {
            let record = batch.payload.rows[number].position.record
            let cells: [ProgramAnswer.Cell]
            switch try ProgramAnswer(answer, row: record, program: command[0]) {
            case .cells(let changes): cells = changes
            case .rejected(let why):
                rejected[number] = (.programRejected, why)
                continue
            case .dropped:
                rejected[number] = (.filteredOut, "")
                continue
            }
            var isChanged = false
            for cell in cells {
                guard let column = batch.payload.columns.column(named: cell.name) else {
                    rejected[number] = (
                        .programRejected, "It set `\(cell.name)`, which neither the file nor `adds` has."
                    )
                    break
                }
                guard batch.payload.set(cell.text, column: column, ofRow: number) else { continue }
                isChanged = true
                names.insert(batch.payload.columns.names[column])
            }
            if isChanged, rejected[number] == nil { changed.append(number) }
        }
        // Numbers of rows stay valid until rows are removed, so that happens last and in one step.
        let reasons = rejected
        let asked = batch.payload.rows.map(\.position)
        try interpreter.interpret(changed, of: &batch, changed: names, stage: name)
        let remaining = Dictionary(
            batch.payload.rows.enumerated().map { ($0.element.position, $0.offset) }
        ) { first, _ in first }
        var places: [Int: (code: ReasonCode, details: String)] = [:]
        for (number, reason) in reasons {
            if let place = remaining[asked[number]] { places[place] = reason }
        }
        let found = places
        batch.reject(found.keys.sorted(), by: name) { number, _ in found[number] ?? (.programRejected, "") }
        return batch
    }

    private static func target(_ name: String) -> Assignment.Target {
        RowFields.schema.index(of: name).flatMap { RowFields.isSettable($0) ? .field($0) : nil }
            ?? .column(name)
    }
}

/// What a program answered about a row.
enum ProgramAnswer {
    /// A cell that the program sets.
    struct Cell {
        var name: String
        var text: String
    }

    case cells([Cell])
    case rejected(String)
    case dropped

    /// Reads an answer. One that is not a JSON object rejects the row.
    ///
    /// - Throws: `unusableInput` if it is about another row: then no later answer can be trusted.
    init(_ answer: LineProgram.Answer, row: Int, program: String) throws(StageFailure) {
        let line: [UInt8]
        switch answer {
        case .failed(let why):
            self = .rejected(why)
            return
        case .line(let bytes): line = bytes
        }
        var cells: [Cell] = []
        var answered: Int64?
        var (rejection, isDropped): (String?, Bool) = (nil, false)
        do throws(JSONReadError) {
            try JSONReader.read(line) { (reader) throws(JSONReadError) in
                try reader.forEachKey { (key, reader) throws(JSONReadError) in
                    let name = key.string
                    switch name {
                    case "$row": answered = try reader.integer()
                    case "$reject": rejection = try Self.text(&reader)
                    case "$drop": isDropped = try reader.bool()
                    default: cells.append(Cell(name: name, text: try Self.text(&reader)))
                    }
                }
                try reader.finish()
            }
        } catch {
            self = .rejected("The program's answer is not a JSON object with texts: \(error).")
            return
        }
        guard answered == Int64(row) else {
            throw StageFailure(
                .unusableInput,
                "`\(program)` was asked about row \(row) and answered about \(answered.map { "row \($0)" } ?? "no row").",
                advice: "The program must answer each line by one line, with the same `$row`.")
        }
        self = rejection.map { .rejected($0) } ?? (isDropped ? .dropped : .cells(cells))
    }

    /// A text, number or truth value as the text of a cell; null is empty.
    private static func text(_ reader: inout JSONReader) throws(JSONReadError) -> String {
        switch try reader.peek() {
        case .number: return String(decoding: try reader.number(), as: UTF8.self)
        case .bool: return try reader.bool() ? "true" : "false"
        case .null:
            _ = try reader.takeNull()
            return ""
        default: return try reader.string().string
        }
    }
}

extension LibraryRows {
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
