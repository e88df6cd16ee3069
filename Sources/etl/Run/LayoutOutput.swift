import Application
import Books
import Database
import Pipeline

/// Output in the layout of another program, with the report of what the program cannot hold. Shared by `export`
/// and `convert`.
struct LayoutOutput {
    static let loss = Option(
        Setting<String?>.text("loss", "Write a CSV of all values that the program cannot hold"), "FILE")
    static let strict = Option.flag(
        "strict", "Write nothing and exit with status 3 if a value would be lost or changed")

    private let layout: any ExportLayout
    private let isStrict: Bool
    private let list: FileOutlet?
    /// How the user names the file of losses.
    private let listAdvice: String
    private let listPath: String
    private let console: Console

    static func layout(named name: String) -> (any ExportLayout)? {
        LibraryFormats.layouts.first { $0.name == name }
    }

    /// Refuses the options that only layouts have.
    static func objection(_ arguments: ParsedArguments) -> Objection? {
        guard arguments[loss] != nil || arguments[strict] else { return nil }
        return Objection(
            "`--loss` and `--strict` apply to formats of other programs.",
            advice: "Leave them out, or choose such a format.")
    }

    /// Opens the list of losses.
    init(
        _ layout: any ExportLayout, _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        try self.init(
            layout, listing: arguments[Self.loss], of: "--loss", named: "--loss FILE",
            isStrict: arguments[Self.strict], console)
    }

    /// - Parameters:
    ///   - path: Where all losses are listed; nil for nowhere.
    ///   - option: What names that file.
    ///   - advice: How the user names it.
    init(
        _ layout: any ExportLayout, listing path: String?, of option: String, named advice: String,
        isStrict: Bool = false, _ console: Console
    ) throws(CommandFailure) {
        self.layout = layout
        self.console = console
        self.isStrict = isStrict
        listAdvice = advice
        listPath = path ?? ""
        list = try path.map { path throws(CommandFailure) in
            try OutputFile(path: path, option: option).open()
        }
    }

    /// Reports what gets lost, then writes the entries, unless that is refused.
    func write(
        _ connection: Connection, of library: String? = nil,
        to sink: (UnsafeRawBufferPointer) throws(StageFailure) -> Void
    ) throws(StageFailure) -> LossReport {
        let export = LayoutExport(connection, layout)
        guard list != nil else {
            return try export.write(of: library, to: sink) { (report) throws(StageFailure) in refuses(report)
            }
        }
        return try export.write(of: library, listing: append, to: sink) { (report) throws(StageFailure) in
            refuses(report)
        }
    }

    /// The same in a layout that is a folder.
    func write(
        _ connection: Connection, of library: String? = nil, toFolder folder: String
    ) throws(StageFailure) -> LossReport {
        let export = LayoutExport(connection, layout)
        let report: LossReport
        if list == nil {
            report = try export.write(of: library, toFolder: folder) { (report) throws(StageFailure) in
                refuses(report)
            }
        } else {
            report = try export.write(of: library, listing: append, toFolder: folder) {
                (report) throws(StageFailure) in refuses(report)
            }
        }
        guard !isStrict || report.count == 0 else { return report }
        let place = ShellWord.of(folder)
        console.note("Wrote \(HumanText.count(report.entries, "book")) to `\(folder)`.")
        console.note(
            "Make calibre's database with calibredb restore_database --really-do-it --with-library \(place)")
        return report
    }

    /// Adds bytes to the list of losses.
    private func append(_ bytes: UnsafeRawBufferPointer) throws(StageFailure) {
        guard let list, list.write(Array(bytes)) != 0 else { return }
        throw StageFailure(.inputOutput, "`\(listPath)` cannot be written.")
    }

    /// Tells what gets lost. Whether nothing is to be written because of it.
    private func refuses(_ report: LossReport) -> Bool {
        tell(report)
        return isStrict && report.count > 0
    }

    /// The status of the command.
    func end(_ report: LossReport) throws(CommandFailure) -> ExitStatus {
        guard isStrict, report.count > 0 else { return .completed }
        throw CommandFailure(
            .rejected,
            "Nothing was written, because \(HumanText.count(report.count, "value")) would be lost or changed.",
            advice: "Leave out --strict, or choose another format.")
    }

    private func tell(_ report: LossReport) {
        guard report.count > 0 else { return }
        console.warn(
            "\(HumanText.count(report.count, "value")) \(report.count == 1 ? "is" : "are") lost or changed in \(layout.title) (\(HumanText.count(report.incomplete)) of \(HumanText.count(report.entries, "book"))).",
            advice: listPath.isEmpty ? "List them all with \(listAdvice)." : nil)
        var table = Table(
            .init("field", isNeverCut: true), .init("lost", .right), .init("changed", .right),
            .init("for example", wraps: true))
        for field in report.fields {
            table.add(
                field.name, HumanText.count(field.lost), HumanText.count(field.changed),
                field.examples.map(Self.text).joined(separator: "; "))
        }
        console.tell(table)
    }

    private static func text(_ example: LossReport.Example) -> String {
        let value = shortened(example.value)
        let change = example.written.isEmpty ? value : "\(value) → \(shortened(example.written))"
        return "\(change) (\(shortened(example.book)))"
    }

    /// A value as a line of a table shows it.
    private static func shortened(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count <= 40 ? line : "\(line.prefix(39))…"
    }
}
