import Books
package import Database
package import Formats
import Store
import Syntax
package import System

/// Writes the entries of a store in the layout of another program: first a survey of the losses in the
/// layout, then the entries, in the order in which they were imported.
package struct LayoutExport {
    /// Calls `write` with a sink, and keeps what the sink was given when `write` returns.
    package typealias ScopedSink = (
        _ write: (ByteSink) throws(ETLError) -> Void
    ) throws(ETLError) -> Void

    private let connection: Connection
    private let layout: any ExportLayout

    /// - Parameter connection: A store opened for reading.
    package init(_ connection: Connection, _ layout: any ExportLayout) {
        self.connection = connection
        self.layout = layout
    }

    /// Surveys the entries, and writes them unless `isRefused` says otherwise.
    ///
    /// - Parameters:
    ///   - library: The library to export; nil for all.
    ///   - losses: Receives a CSV of all losses, before anything else is written; nil for no list.
    ///   - isRefused: Called with what gets lost, before anything is written.
    /// - Returns: The losses.
    /// - Throws: `.missing` if there is no such library.
    @discardableResult
    package func write(
        of library: String? = nil, listing losses: ScopedSink? = nil, to sink: ByteSink,
        unless isRefused: (LossReport) throws(ETLError) -> Bool = { (_) throws(ETLError) in false }
    ) throws(ETLError) -> LossReport {
        var held: [UInt8] = []
        return try surveyed(library, losses, isRefused) { writer throws(ETLError) in
            writer.begin()
            try visit(library) { entry throws(ETLError) in
                writer.write(entry)
                held += writer.take()
                if held.count >= JSONWriter.pieceBytes { try Self.pass(&held, to: sink) }
            }
            writer.end()
            held += writer.take()
            try Self.pass(&held, to: sink)
        }
    }

    /// The same in a layout that is a folder.
    ///
    /// - Parameter folder: A folder that does not exist or is empty. It appears when it is complete.
    @discardableResult
    package func write(
        of library: String? = nil, listing losses: ScopedSink? = nil, toFolder folder: String,
        unless isRefused: (LossReport) throws(ETLError) -> Bool = { (_) throws(ETLError) in false }
    ) throws(ETLError) -> LossReport {
        // Before the survey: a folder that cannot be written is told at once.
        let folder = try NewFolder(folder)
        return try surveyed(library, losses, isRefused) { writer throws(ETLError) in
            writer.begin()
            try visit(library) { entry throws(ETLError) in
                writer.write(entry)
                try folder.write(writer.take(), to: writer.file)
            }
            writer.end()
            try folder.finish()
        }
    }

    /// Surveys the entries and, unless that is refused, writes the same ones.
    private func surveyed(
        _ library: String?, _ losses: ScopedSink?, _ isRefused: (LossReport) throws(ETLError) -> Bool,
        _ write: (any LayoutWriter) throws(ETLError) -> Void
    ) throws(ETLError) -> LossReport {
        try connection.snapshot { () throws(ETLError) -> LossReport in
            let writer = layout.makeWriter()
            let report = try survey(library, by: writer, listing: losses)
            if try !isRefused(report) { try write(writer) }
            return report
        }
    }

    private func survey(
        _ library: String?, by writer: any LayoutWriter, listing losses: ScopedSink?
    ) throws(ETLError) -> LossReport {
        guard let losses else { return try survey(library, by: writer) { (_, _) throws(ETLError) in } }
        var report = LossReport(layout: layout.name)
        try losses { (list) throws(ETLError) in
            var out = CSVWriter()
            out.record(LossReport.columns)
            report = try survey(library, by: writer) { (losses, entry) throws(ETLError) in
                for loss in losses { out.record(LossReport.record(loss, of: entry)) }
                try out.flush(to: list)
            }
            try out.flush(to: list, isEnd: true)
        }
        return report
    }

    private func survey(
        _ library: String?, by writer: any LayoutWriter,
        noting note: ([EntryLoss], LibraryEntry) throws(ETLError) -> Void
    ) throws(ETLError) -> LossReport {
        var report = LossReport(layout: layout.name)
        var losses = EntryLosses()
        try visit(library) { entry throws(ETLError) in
            losses.removeAll()
            writer.survey(entry, losses: &losses)
            report.note(losses.list, of: entry)
            try note(losses.list, entry)
        }
        return report
    }

    private func visit(
        _ library: String?, _ body: (LibraryEntry) throws(ETLError) -> Void
    ) throws(ETLError) {
        let ids = try connection.query(
            "SELECT id FROM entries WHERE ?1 IS NULL OR library = ?1 ORDER BY library, id")
        if let library { ids.bind(1, try LibraryNames(connection).id(of: library)) }
        let reader = try EntryReader(connection)
        while try ids.next() {
            if let entry = try reader.entry(ids.integer(0)) { try body(entry) }
        }
    }

    private static func pass(_ bytes: inout [UInt8], to sink: ByteSink) throws(ETLError) {
        guard !bytes.isEmpty else { return }
        var thrown: ETLError?
        bytes.withUnsafeBytes { written in
            do throws(ETLError) { try sink(written) } catch { thrown = error }
        }
        if let thrown { throw thrown }
        bytes.removeAll(keepingCapacity: true)
    }
}
