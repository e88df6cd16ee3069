import Contract
import Queries
import Store
import System

/// The preview of an import: what each row would create and change, one line per field.
struct PreviewTable {
    /// Lines that are shown. More are counted only.
    private static let maxLines = 1_000

    private var table = Table(
        .init("row", .right), .init("change", isNeverCut: true), .init("what", isNeverCut: true),
        .init("title", narrowest: 20), .init("field", isNeverCut: true), .init("before", wraps: true),
        .init("after", wraps: true))
    private var (lines, unshown) = (0, 0)

    /// Writes the preview of a job that ran on the copy of a store.
    static func write(
        of job: Job, in store: String, asJSON isJSON: Bool, _ console: Console
    ) throws(CommandFailure) {
        var preview = PreviewTable()
        try StoreOutput.write(store, console) { (connection, sink) throws(ETLError) in
            let rows = RowPreviews(of: job, connection)
            if isJSON { try rows.write(to: sink) } else { try rows.visit { preview.add($0) } }
        }
        if !isJSON { try preview.write(to: console) }
    }

    private mutating func add(_ row: RowPreview) {
        for change in row.changes {
            for field in change.fields {
                guard lines < Self.maxLines else {
                    unshown += 1
                    continue
                }
                lines += 1
                table.add(
                    row.file.map { "\($0):\(row.row)" } ?? "\(row.row)", change.effect.rawValue,
                    change.kind.rawValue, change.title ?? change.key, field.field,
                    ChangeTable.shown(field.before), ChangeTable.shown(field.after))
            }
        }
    }

    private func write(to console: Console) throws(CommandFailure) {
        guard lines > 0 else { return try console.write("No row would change anything.\n\n") }
        try console.write(table)
        if unshown > 0 {
            try console.writeText("\n\(HumanText.count(unshown, "more field")). `--json` lists all.")
        }
        try console.write("\n")
    }
}
