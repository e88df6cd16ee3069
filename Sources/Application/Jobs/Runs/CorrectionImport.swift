package import Books
import Formats
import Queries
import Store
import Syntax
import System

/// Stores a corrected list of errors. Each row is put back under the columns of the file that its record came
/// from, and stored next to the reject it replaces.
struct CorrectionImport {
    let store: ResultsStore
    let job: Job
    let reading: ReadSettings
    /// The layouts of the job's files.
    let layouts: [SourceLayout]
    /// The order of the list's dates, if the user specified it; nil if the dates themselves or the job's
    /// files show it.
    let explicit: DateOrder?
    /// Raised when the run is to stop. A list of many rows takes a while to read.
    let stop: StopSignal

    private static let rowsKeptAtOnce = 256

    /// - Parameter text: The options for the list's own text.
    func take(_ path: String, text: TextOptions) async throws(ETLError) -> CorrectionCounts {
        let known = layouts.filter { $0.formatName != nil }
        let isMixed = known.contains { layout in
            layout.formatName.flatMap { try? LibraryFormats.named($0) }?.mixesEncodings ?? false
        }
        func open() throws(ETLError) -> CorrectedList {
            try CorrectedList(
                path, ofJob: job.name, text: text, isMixed: isMixed, limit: reading.expansionLimit, stop: stop
            )
        }
        var list = try open()
        let targets = layouts.map { Target($0, job: job, list: list.names) }
        // The list is read twice, because its last row can decide about the dates.
        let surveyed = try open()
        var dates = try CorrectedDates(surveyed, targets, job: job, reading: reading, explicit: explicit)
        let unknownColumns = list.names.filter { name in
            !name.isEmpty && !name.hasPrefix(CorrectedList.extraColumnPrefix)
                && !targets.contains { $0.layout.names.contains(name) }
        }
        var lost: Set<Int> = []
        var counts = CorrectionCounts()
        var rows: [CorrectedRow] = []
        try await store.beginCorrections()
        while let row = try list.next() {
            counts.listed += 1
            if row.isComplete, row.record == nil || !targets.indices.contains(row.file) { continue }
            if row.isComplete, !targets[row.file].lostNames.isEmpty {
                lost.insert(row.file)
                // If the list has unknown columns, they may be the lost ones under other names.
                if !unknownColumns.isEmpty {
                    counts.renamed += 1
                    continue
                }
            }
            guard var corrected = corrected(row, targets) else {
                counts.tooLarge += 1
                continue
            }
            if dates.isAmbiguous(corrected) {
                let place = RecordPlace(file: corrected.position.file, row: corrected.position.record)
                corrected.isDateOpen = true
                if try await store.isRejected(place) { dates.noteOpen(corrected) }
            }
            corrected.dateOrder = dates.order(of: corrected)
            rows.append(corrected)
            if rows.count == Self.rowsKeptAtOnce { try await keep(&rows, &counts) }
        }
        try await keep(&rows, &counts)
        counts.warnings = dates.doubts(in: path, ofJob: job.name)
        counts.warnings += lost.sorted().map {
            targets[$0].loss(path, job.fileName($0), unknownColumns)
        }
        return counts
    }

    private func keep(
        _ rows: inout [CorrectedRow], _ counts: inout CorrectionCounts
    ) async throws(ETLError) {
        let kept = try await store.keep(rows)
        counts.taken += kept.records
        counts.repeated += kept.repeated
        rows.removeAll(keepingCapacity: true)
    }

    /// A row under the columns of its file; nil if it is still over the limits.
    private func corrected(_ row: CorrectedList.Row, _ targets: [Target]) -> CorrectedRow? {
        guard row.isComplete, let record = row.record else { return nil }
        let cells = targets[row.file].cells(of: row.cells)
        guard cells.count <= reading.limits.columns else { return nil }
        // Line and offset are those of the reject.
        let position = Position(file: row.file, byte: 0, line: 0, record: record)
        return CorrectedRow(position: position, layout: targets[row.file].layout, cells: cells)
    }

    /// Positions of a file's columns in the list.
    struct Target {
        let layout: CorrectedRow.Layout
        /// For each column of the file its column in the list; nil if the list does not have it.
        private let sources: [Int?]
        /// Names of the file's columns that the list does not have, or has under other names.
        let lostNames: [String]
        /// Columns of the list for cells beyond those of the file.
        private let extras: [Int]

        init(_ source: SourceLayout, job: Job, list names: [String]) {
            let extras = names.indices.filter { names[$0].hasPrefix(CorrectedList.extraColumnPrefix) }
            let own = names.indices.filter { !extras.contains($0) }
            let isKnown = !source.names.isEmpty
            layout = CorrectedRow.Layout(
                formatName: source.formatName ?? job.formatName ?? Generic().name,
                names: isKnown ? source.names : own.map { names[$0] })
            var taken: Set<Int> = []
            sources = layout.names.map { name in
                let column = names.indices.first { names[$0] == name && !taken.contains($0) }
                if let column { taken.insert(column) }
                return column
            }
            lostNames = zip(layout.names, sources).filter { !$0.isEmpty && $1 == nil }.map(\.0)
            self.extras = extras.filter { !taken.contains($0) }
        }

        /// The warning about a list that does not have all columns of the file.
        func loss(_ list: String, _ file: String?, _ unknownColumns: [String]) -> UserWarning {
            let shown = lostNames.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
            let file = file.map { "`\($0)`" } ?? "the imported file"
            let sentence =
                "`\(list)` lacks columns of \(file): \(shown)\(lostNames.count > 3 ? ", …" : "")"
            guard let unknownColumn = unknownColumns.first else {
                return UserWarning("\(sentence). Their cells are imported as empty.")
            }
            return UserWarning(
                "\(sentence). It has `\(unknownColumn)` instead, so the records stay rejected.",
                advice: "Restore the original column names and import the list again.")
        }

        func cells(of row: [String]) -> [String] {
            var cells = sources.map { $0.map { row[$0] } ?? "" } + extras.map { row[$0] }
            while cells.count > layout.names.count, cells.last?.isEmpty == true { cells.removeLast() }
            return cells
        }
    }
}

/// The counts of an imported list of corrected rows.
package struct CorrectionCounts: Sendable, Hashable {
    /// Number of its rows.
    package var listed = 0
    /// Number of rejected records of the job that it lists. Any other row is skipped: its record was
    /// corrected before, or its number is not that of a reject.
    package var taken = 0
    /// Number of rows for a record that an earlier row was about. The last row counts.
    package var repeated = 0
    /// Number of rows over the job's limits; their records stay rejected.
    package var tooLarge = 0
    /// Number of rows for a file whose columns have other names in the list. Importing them would lose cells,
    /// so their records stay rejected.
    package var renamed = 0
    /// Warnings about ambiguous dates and about missing columns, one for each of the job's files.
    package var warnings: [UserWarning] = []
    /// Number of records that are stored now.
    package var corrected = 0

    package init() {}

    /// Number of rows for records that the job has not rejected.
    package var skipped: Int { listed - taken - repeated - tooLarge - renamed }
}

/// Decides how the dates of a list of corrected rows are read. A spreadsheet may have rewritten them in the
/// local format, whatever order the job's files have.
struct CorrectedDates {
    private let reading: ReadSettings
    /// For each of the job's files the columns with dates, and the survey of their dates.
    private var files: [(columns: [DateColumn], dates: DateSurvey, isDoubtful: Bool)] = []

    /// Surveys a list.
    ///
    /// - Parameters:
    ///   - targets: For each of the job's files, where its columns are in the list.
    ///   - explicit: The order of the list's dates, if the user specified it.
    init(
        _ list: consuming CorrectedList, _ targets: [CorrectionImport.Target], job: Job,
        reading: ReadSettings,
        explicit: DateOrder?
    ) throws(ETLError) {
        self.reading = reading
        for (index, target) in targets.enumerated() {
            let format = try reading.format(of: target.layout)
            let columns = DateColumn.all(of: reading.columns(of: target.layout, by: format))
            let dates = DateSurvey(explicit: explicit, known: Self.known(ofFile: index, job, reading))
            files.append((columns, dates, false))
        }
        while let row = try list.next() {
            guard row.isComplete, files.indices.contains(row.file) else { continue }
            note(targets[row.file].cells(of: row.cells), ofFile: row.file)
        }
        for index in files.indices {
            files[index].isDoubtful = files[index].dates.isDoubtful
            files[index].dates.forgetAmbiguous()
        }
    }

    /// The order of a file's dates, if it was specified or proven.
    private static func known(ofFile index: Int, _ job: Job, _ reading: ReadSettings) -> DateOrder? {
        if let explicit = reading.explicitDateOrder { return explicit }
        if reading.dateOrder(ofFile: index) == .monthFirst { return .monthFirst }
        return job.options?.dayFirstFiles?.contains(index) == true ? .dayFirst : nil
    }

    private mutating func note(_ cells: [String], ofFile index: Int) {
        for one in files[index].columns where one.column < cells.count {
            Array(cells[one.column].utf8).withUnsafeBytes {
                files[index].dates.note($0, showsAge: false, until: nil)
            }
        }
    }

    /// Whether a record has an ambiguous date in a list whose order is not known.
    func isAmbiguous(_ corrected: CorrectedRow) -> Bool {
        let file = files[corrected.position.file]
        return file.isDoubtful
            && file.columns.contains { one in
                one.column < corrected.cells.count
                    && Array(corrected.cells[one.column].utf8).withUnsafeBytes { DateSurvey.isAmbiguous($0) }
            }
    }

    /// Notes a record that is rejected because of its dates.
    mutating func noteOpen(_ corrected: CorrectedRow) {
        note(corrected.cells, ofFile: corrected.position.file)
    }

    /// The order of a record's dates; nil if it is the same as in its file.
    func order(of corrected: CorrectedRow) -> DateOrder? {
        let file = files[corrected.position.file]
        // Of a list in doubt, only unambiguous dates are imported.
        guard !file.isDoubtful else { return nil }
        let order = file.dates.order
        return order == reading.dateOrder(ofFile: corrected.position.file) ? nil : order
    }

    /// The warnings about records that are rejected because of their dates.
    func doubts(in list: String, ofJob job: String) -> [UserWarning] {
        files.compactMap { $0.dates.doubt(inList: list, ofJob: job) }
    }
}
