import Books
package import Syntax

/// A record that was turned away, or something noticed about one that was kept, as `etl errors` lists it.
package struct ListedError: Sendable, Hashable {
    /// Whether the record was turned away or kept.
    package enum Kind: String, Sendable, Hashable {
        case reject, warning
    }

    /// Whether the record was turned away or kept.
    package var kind: Kind
    /// Record number in its file, from 1, header, blank and preamble records counted, as a spreadsheet shows it.
    package var row: Int
    /// Physical line on which the record begins, from 1.
    package var line: Int
    /// Byte of the file at which the record begins, from 0; nil for a warning, with which it is not noted.
    package var byte: Int64?
    /// Index of the file among the job's inputs.
    package var fileIndex: Int
    /// The file's name, where the job had several.
    package var file: String?
    /// The stage that turned the record away; nil for a warning.
    package var stage: String?
    /// The column concerned, as the file spells it.
    package var field: String?
    /// The offending value, where there is one.
    package var value: String?
    /// Stable code: ``ReasonCode``.
    package var code: String
    /// One sentence.
    package var reason: String
    /// The record as it was read, at most 64 KiB of it; empty for a warning, whose record is an entry.
    package var raw: [UInt8]
    /// Length of the whole record in bytes.
    package var rawLength: Int
    /// The entry a warning's record became.
    var entry: Int64?
}

/// What `etl errors --format json` says of one record.
extension ListedError: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("kind", kind.rawValue)
            out.field("row", row)
            out.field("line", line)
            out.field("byte", byte)
            out.field("file", file)
            out.field("stage", stage)
            out.field("field", field)
            out.field("value", value)
            out.field("code", code)
            out.field("reason", reason)
            guard kind == .reject else { return }
            out.key("raw")
            raw.withUnsafeBytes { out.string(utf8: $0) }
            // Said only where the record is longer than what was kept of it.
            if rawLength > raw.count { out.field("rawLength", rawLength) }
        }
    }
}

/// What `etl errors --reasons --format json` says of a code.
extension ReasonCode: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("code", code)
            out.field("kind", (isReject ? ListedError.Kind.reject : .warning).rawValue)
            out.field("sentence", sentence)
            out.field("advice", advice)
        }
    }
}
