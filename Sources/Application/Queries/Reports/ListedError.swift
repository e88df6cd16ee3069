import Books
package import Contract
import Store
package import Syntax
package import System

/// A reject, or a warning about an imported record, as `etl errors` lists it.
package struct ListedError: Sendable, Hashable {
    /// Whether it is a reject or a warning.
    package enum Kind: String, Described, Sendable, CaseIterable {
        case reject, warning
    }

    package var kind: Kind
    /// Record number in its file, from 1. Header, blank and preamble records count, as in a spreadsheet.
    package var row: Int
    /// Physical line on which the record begins, from 1.
    package var line: Int
    /// Offset of the record in the file, from 0; nil for a warning, which has no stored offset.
    package var byte: Int64?
    /// Index of the file among the job's inputs.
    package var fileIndex: Int
    /// The file's name, if the job had several.
    package var file: String?
    /// The stage that rejected the record; nil for a warning.
    package var stage: String?
    /// The column concerned, as the file spells it.
    package var field: String?
    /// The offending value, if there is one.
    package var value: String?
    /// The reason code (``ReasonCode``).
    package var code: String
    /// One sentence.
    package var reason: String
    /// The record as read, at most 64 KiB of it; empty for a warning, whose record is an entry.
    package var raw: [UInt8]
    /// Length of the whole record in bytes.
    package var rawLength: Int
    /// For a warning, the entry that the record became.
    package var entry: Int64?
    /// Title and author of the record; nil if it has neither. Read only for lists that people read.
    package var book: String?
}

/// The output of `etl errors --to json` for one record.
extension ListedError: ContractRecord {
    package static var example: ListedError {
        ListedError(
            kind: .reject, row: 0, line: 0, fileIndex: 0, code: "", reason: "", raw: [], rawLength: 0)
    }
    package static var schemaName: String? { "ListedError" }

    package func fields(into table: inout some FieldTable) {
        table.field("kind", kind)
        table.field("row", row)
        table.field("line", line)
        table.field("byte", byte)
        table.field("file", file)
        table.field("stage", stage)
        table.field("field", field)
        table.field("value", value)
        table.field("code", code)
        table.field("reason", reason)
        table.field("raw", kind == .reject ? Raw(bytes: raw) : nil)
        // Only written if the stored record is cut.
        table.field("rawLength", kind == .reject && rawLength > raw.count ? rawLength : nil)
    }
}

extension ListedError {
    /// A record as read, which need not be UTF-8.
    private struct Raw: Described {
        static var schema: Schema { .string }

        var bytes: [UInt8]

        func write(into out: inout JSONWriter) { bytes.withUnsafeBytes { out.string(utf8: $0) } }
    }
}

/// The output of `etl errors --reasons --to json` for one code.
extension ReasonCode {
    /// - Parameter spell: Writes out the commands and settings in the advice.
    package func write(into out: inout JSONWriter, spelling spell: (UserText) -> String) {
        out.object { out in
            out.field("code", code)
            out.field("kind", (isReject ? ListedError.Kind.reject : .warning).rawValue)
            out.field("sentence", sentence)
            out.field("advice", spell(advice))
        }
    }
}
