import Syntax
import System

/// A program's answer about a row.
enum ProgramAnswer {
    /// A cell that the program sets.
    struct Cell {
        var name: String
        var text: String
    }

    /// The rows that it becomes, at least one, each with the cells that change.
    case rows([[Cell]])
    case rejected(String)
    case dropped

    /// Reads an answer. One that is neither an object nor a list of objects rejects the row.
    ///
    /// - Parameter most: Maximum number of rows that one row may become.
    /// - Throws: `unusableInput` if it is about another row: then no later answer can be trusted.
    init(_ answer: LineProgram.Answer, row: Int, program: String, atMost most: Int) throws(ETLError) {
        let line: [UInt8]
        switch answer {
        case .failed(let why):
            self = .rejected(why)
            return
        case .line(let bytes): line = bytes
        }
        var objects: [Object] = []
        var (isList, count) = (false, 1)
        do throws(JSONReadError) {
            try JSONReader.read(line) { (reader) throws(JSONReadError) in
                isList = try reader.peek() == .array
                if isList {
                    count = 0
                    try reader.forEachElement { (reader) throws(JSONReadError) in
                        count += 1
                        if count <= most { objects.append(try Object(&reader)) }
                    }
                } else {
                    objects.append(try Object(&reader))
                }
                try reader.finish()
            }
        } catch {
            self = .rejected("The program's answer is not a JSON object with texts: \(error).")
            return
        }
        if let other = objects.first(where: { $0.row != Int64(row) }) {
            throw ETLError(
                .unusableInput,
                "`\(program)` was asked about row \(row) and answered about \(other.row.map { "row \($0)" } ?? "no row").",
                advice: "The program must answer each line by one line, with the same `$row`.")
        }
        if count > most {
            self = .rejected("The program made \(count) rows of it, but `mostRows` is \(most).")
        } else if isList, objects.contains(where: { $0.rejection != nil || $0.isDropped }) {
            self = .rejected(
                "The program answered a list with `$reject` or `$drop`, which are about whole rows.")
        } else if let reason = objects.first?.rejection {
            self = .rejected(reason)
        } else if objects.isEmpty || objects[0].isDropped {
            self = .dropped
        } else {
            self = .rows(objects.map(\.cells))
        }
    }

    /// An object in an answer.
    private struct Object {
        var row: Int64?
        var cells: [Cell] = []
        var rejection: String?
        var isDropped = false

        init(_ reader: inout JSONReader) throws(JSONReadError) {
            try reader.forEachKey { (key, reader) throws(JSONReadError) in
                let name = key.string
                switch name {
                case "$row": row = try reader.integer()
                case "$reject": rejection = try Self.text(&reader)
                case "$drop": isDropped = try reader.bool()
                default: cells.append(Cell(name: name, text: try Self.text(&reader)))
                }
            }
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
}
