import Database
import Formats
import Jobs
import Pipeline
import Queries
import System

/// Output as an Excel workbook, into a file. Shared by `export` and `convert`.
final class WorkbookOutput {
    /// The word of `--to`.
    static let format = WriteExport.workbook
    static let output = Option(
        Setting<String?>.text("output", "File to write, or folder for calibre-library"), "PATH", short: "o")

    private let file: OutputFile
    private let console: Console
    /// Why the file was not written. It is reported instead of the failure that follows from it.
    private(set) var unwritten: CommandFailure?

    /// Refuses a workbook or folder without a path, and a path for anything else.
    ///
    /// - Parameters:
    ///   - format: The format; nil if there is none.
    ///   - option: The option that names it.
    ///   - writesText: Whether other formats can be written to a file too.
    static func objection(
        _ arguments: ParsedArguments, format: String?, option: String, writesText: Bool = false
    ) -> Objection? {
        let path = arguments[output]
        let isFolder = format.flatMap(LayoutOutput.layout)?.isFolder ?? false
        if let format, isFolder || format == Self.format {
            return path == nil
                ? Objection(
                    "`\(option) \(format)` does not write to standard output.",
                    advice:
                        "Specify a \(isFolder ? "folder" : "file") with `--output \(isFolder ? "FOLDER" : "FILE.xlsx")`."
                ) : nil
        }
        return path == nil || writesText
            ? nil
            : Objection(
                "`--output` belongs to `\(option) xlsx` and `\(option) calibre-library`.",
                advice: "Leave it out, and write to a file with `> \(ShellWord.of(path ?? "FILE"))`.")
    }

    /// - Parameters:
    ///   - store: The store that is read; nil for none.
    ///   - input: The file that is read; nil for none.
    /// - Throws: `.usage` if one of them would be overwritten; `.cannotCreate` if the file cannot be.
    convenience init(
        _ arguments: ParsedArguments, reading store: String? = nil, input: String? = nil, _ console: Console
    ) throws(CommandFailure) {
        let file = OutputFile(path: arguments[Self.output] ?? "", option: "--output")
        try file.check(againstStore: store, input: input)
        try self.init(file, console)
    }

    /// - Parameter file: The workbook. The caller has checked that nothing is overwritten that is read.
    init(_ file: OutputFile, _ console: Console) throws(CommandFailure) {
        self.file = file
        self.console = console
        try file.checkIsRegular()
        try file.checkIsWritable()
    }

    /// Writes records of a store.
    func write(
        _ what: Export.What = .books, of connection: Connection, in library: String? = nil,
        addingOtherColumns others: Bool = false
    ) throws(ETLError) {
        var written: Export.WorkbookReport?
        do throws(CommandFailure) {
            try file.replaceFile { part throws(CommandFailure) in
                do throws(ETLError) {
                    written = try Export(connection).writeWorkbook(
                        of: what, in: library, addsOtherColumns: others, to: part)
                } catch {
                    // The user named another file.
                    throw CommandFailure(
                        ETLError(
                            error.kind, error.message.replacing(part, with: file.path), advice: error.advice))
                }
            }
        } catch {
            unwritten = error
            throw ETLError(.inputOutput, error.message)
        }
        guard let report = written else { return }
        if report.shortened > 0 {
            console.warn(
                "\(HumanText.count(report.shortened, "cell")) had more text than a cell of a workbook can have, and \(report.shortened == 1 ? "was" : "were") cut.",
                advice: "The formats csv and json have all of it.")
        }
        console.note("Wrote \(HumanText.count(report.rows, "record")) to `\(file.path)`.")
    }
}
