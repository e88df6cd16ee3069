import Books
import Formats
import Syntax
import System

/// The text output of `etl inspect`: each guess with its evidence, the columns, the first records, problems.
struct InspectionReport {
    private let inspection: Inspection
    private let name: String
    private let options: [String]

    /// - Parameter options: The given reading options. An import needs them too.
    init(_ inspection: Inspection, name: String, options: [String]) {
        self.inspection = inspection
        self.name = name
        self.options = options
    }

    func write(to console: Console) throws(CommandFailure) {
        try console.write(console.style(.bold, TextWidth.printable(name)) + "\n\n")
        for table in [guesses, columns, samples, problems] where !table.isEmpty {
            try console.write(table)
            try console.write("\n")
        }
        let words = ["etl", "import"] + options + [name]
        try console.write("Next: \(TextWidth.printable(words.map(ShellWord.of).joined(separator: " ")))\n")
    }

    private var guesses: Table {
        var table = Table(
            .init("property", isNeverCut: true), .init("value", wraps: true), .init("evidence", wraps: true))
        table.add("size", HumanText.bytes(Int(inspection.size)), "")
        switch inspection.content {
        case .plain, .archive: break
        case .compressed(let compression):
            table.add(
                "compression", compression.rawValue, "The first bytes are those of \(compression.rawValue).")
        case .archived(let name): table.add("archive", "ZIP", "The file in it is \(name).")
        case .sheet(let workbook, let sheet):
            table.add("document", workbook.kind.rawValue, "The sheet is \(sheet.name).")
        }
        if inspection.isObjects {
            table.add("syntax", "JSON", "Each object with a title or an ISBN is a record.")
        }
        if let text = inspection.text { Self.add(text, to: &table) }
        let others = inspection.scores.filter { $0.formatName != inspection.formatName && $0.score > 0 }
            .map { "\(HumanText.percent($0.score)) for \($0.formatName)" }
        let score = inspection.scores.first { $0.formatName == inspection.formatName }?.score ?? 0
        let scored = (["\(HumanText.percent(score)) of the column names match"] + others).joined(
            separator: "; ")
        table.add("format", inspection.formatName, inspection.evidence ?? "\(scored).")
        if let evidence = inspection.dates.evidence {
            table.add(
                "dates", inspection.dates.order == .monthFirst ? "month first" : "day first", evidence)
        }
        table.add(
            "records", HumanText.count(inspection.recordCount),
            inspection.emptyRows == 0
                ? "" : "\(HumanText.count(inspection.emptyRows, "row")) without any value will be skipped.")
        return table
    }

    private static func add(_ text: DelimitedText, to table: inout Table) {
        let mark = text.encoding.byteOrderMarkLength > 0 ? ", byte order mark" : ""
        table.add("encoding", text.encoding.encoding.rawValue + mark, text.encoding.evidence)
        table.add("delimiter", shown(text.dialect.dialect.delimiter), text.dialect.evidence)
        table.add("quote", text.dialect.dialect.quote.map { String(UnicodeScalar($0)) } ?? "none", "")
        table.add("line end", text.dialect.newline.rawValue, "")
        let preamble = text.preamble.count
        table.add(
            "header", text.headerPosition.map { "line \($0.line)" } ?? "none",
            preamble == 0
                ? ""
                : "\(HumanText.count(preamble, "record")) before the header will be skipped.")
    }

    private static func shown(_ delimiter: UInt8) -> String {
        delimiter == UInt8(ascii: "\t") ? "tab" : String(UnicodeScalar(delimiter))
    }

    private var columns: Table {
        var table = Table(
            .init("column", .right), .init("name", narrowest: 24), .init("field", isNeverCut: true))
        for column in inspection.columns {
            table.add(
                "\(column.number)", column.name,
                column.field.map { String(describing: $0) } ?? "(kept, not interpreted)")
        }
        return table
    }

    private var samples: Table {
        var table = Table(
            .init("row", .right), .init("title", wraps: true), .init("series", wraps: true, isOptional: true),
            .init("people", wraps: true), .init("ISBN cells", wraps: true),
            .init("binding", isOptional: true),
            .init("rating", .right), .init("shelf"), .init("read", isNeverCut: true))
        for sample in inspection.samples {
            table.add(
                "\(sample.record)", sample.title, sample.series.joined(separator: "; "),
                sample.people.joined(separator: ", "), sample.isbns.joined(separator: " "),
                sample.format?.contractName ?? "", sample.rating, sample.shelf, sample.dateRead)
        }
        return table
    }

    private var problems: Table {
        var table = Table(
            .init("problem", isNeverCut: true), .init("count", .right), .init("first rows"),
            .init("example", wraps: true))
        for problem in inspection.problems {
            table.add(
                problem.code, HumanText.count(problem.count),
                problem.firstRecords.map(String.init).joined(separator: ", "), problem.example)
        }
        return table
    }
}
