import Books
import Contract
package import Formats
package import Syntax
package import System

/// The output of `etl inspect --json`.
extension Inspection {
    /// Writes the object.
    ///
    /// - Parameter spell: Spells a command or a setting.
    package func write(into out: inout JSONWriter, spelling spell: (any UserReference) -> String) {
        out.object { out in
            out.field("size", size)
            switch content {
            case .plain, .archive: break
            case .compressed(let compression): out.field("packed", compression.rawValue)
            case .archived: out.field("packed", "zip")
            case .sheet(let workbook, let sheet):
                out.field("packed", workbook.kind == .excel ? "xlsx" : "ods")
                out.field("sheet", sheet.name)
            }
            if let text { Self.write(text, into: &out) }
            out.field("format", formatName)
            out.field("formatEvidence", evidence)
            out.field("scores", scores) { score, out in
                out.field("format", score.formatName)
                out.field("score", score.score)
            }
            out.field("recordCount", recordCount)
            if let evidence = dates.evidence {
                out.field("dateOrder", dates.order.rawValue)
                out.field("dateOrderTold", dates.explicit != nil)
                out.field("dateOrderEvidence", evidence)
            }
            if !warnings.isEmpty { out.field("warnings", warnings.map { $0.text.rendered(spell) }) }
            out.field("columns", columns, Self.write)
            out.field("samples", samples, Self.write)
            out.field("problems", problems, Self.write)
        }
    }

    private static func write(_ text: DelimitedText, into out: inout JSONWriter) {
        out.field("encoding", text.encoding.encoding.rawValue)
        out.field("byteOrderMark", text.encoding.byteOrderMarkLength > 0)
        out.field("encodingEvidence", text.encoding.evidence)
        out.field("delimiter", String(UnicodeScalar(text.dialect.dialect.delimiter)))
        out.field("quote", text.dialect.dialect.quote.map { String(UnicodeScalar($0)) } ?? "")
        out.field("delimiterEvidence", text.dialect.evidence)
        out.field("newline", text.dialect.newline.rawValue)
        out.field("headerLine", text.headerPosition?.line)
        out.field("preambleRecords", text.preamble.count)
    }

    private static func write(_ column: Column, into out: inout JSONWriter) {
        out.field("number", column.number)
        out.field("name", column.name)
        out.field("field", column.field.map { String(describing: $0) })
    }

    private static func write(_ sample: Sample, into out: inout JSONWriter) {
        out.field("record", sample.record)
        out.field("title", sample.title)
        out.field("series", sample.series)
        out.field("people", sample.people)
        out.field("isbns", sample.isbns)
        out.field("format", sample.format?.contractName)
        out.field("rating", sample.rating.isEmpty ? nil : sample.rating)
        out.field("shelf", sample.shelf.isEmpty ? nil : sample.shelf)
        out.field("dateRead", sample.dateRead.isEmpty ? nil : sample.dateRead)
    }

    private static func write(_ problem: Problem, into out: inout JSONWriter) {
        out.field("code", problem.code)
        out.field("count", problem.count)
        out.field("firstRecords", problem.firstRecords)
        out.field("example", problem.example)
    }
}
