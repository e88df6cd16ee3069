import Books
package import Pipeline
import Syntax

/// Takes a mended list of errors into the store: each of its rows is put back under the columns of the file that its
/// record came from, and kept beside the reject it takes the place of.
struct CorrectionImport {
    let store: ResultsStore
    let job: Job
    let reading: ReadSettings
    /// What the job's files looked like.
    let layouts: [SourceLayout]
    /// What the reader says of the list's dates; nil where these tell themselves, or those of the job's files.
    let explicit: DateOrder?

    private static let rowsKeptAtOnce = 256

    /// - Parameter text: What is said of the list's own text.
    func take(_ path: String, text: TextOptions) async throws(StageFailure) -> CorrectionCounts {
        let known = layouts.filter { $0.profile != nil }
        let isMixed = known.contains { layout in
            layout.profile.flatMap { try? LibraryFormats.named($0) }?.mixesEncodings ?? false
        }
        var list = try CorrectedList(path, text: text, isMixed: isMixed)
        let targets = layouts.map { Target($0, job: job, list: list.names) }
        // What tells of dates may stand in its last row.
        let surveyed = try CorrectedList(path, text: text, isMixed: isMixed)
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
            if row.isWhole, row.record == nil || !targets.indices.contains(row.file) { continue }
            if row.isWhole, !targets[row.file].lostNames.isEmpty {
                lost.insert(row.file)
                // One that has others in their place has them under other names.
                if !unknownColumns.isEmpty {
                    counts.renamed += 1
                    continue
                }
            }
            guard var corrected = corrected(row, targets) else {
                counts.tooLarge += 1
                continue
            }
            if dates.isOpen(corrected) {
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
            UserText(targets[$0].loss(path, job.fileName($0), unknownColumns))
        }
        return counts
    }

    private func keep(
        _ rows: inout [CorrectedRow], _ counts: inout CorrectionCounts
    ) async throws(StageFailure) {
        let kept = try await store.keep(rows)
        counts.taken += kept.records
        counts.repeated += kept.repeated
        rows.removeAll(keepingCapacity: true)
    }

    /// A row under the columns of its file; nil where it is over the limits still.
    private func corrected(_ row: CorrectedList.Row, _ targets: [Target]) -> CorrectedRow? {
        guard row.isWhole, let record = row.record else { return nil }
        let cells = targets[row.file].cells(of: row.cells)
        guard cells.count <= reading.limits.columns else { return nil }
        // Line and offset are the reject's own.
        let position = Position(file: row.file, byte: 0, line: 0, record: record)
        return CorrectedRow(position: position, layout: targets[row.file].layout, cells: cells)
    }

    /// Where the columns of the list stand in a file.
    struct Target {
        let layout: CorrectedRow.Layout
        /// For each column of the file its column in the list; nil where the list has lost it.
        private let sources: [Int?]
        /// Names of the columns that the list has lost, or has under other names.
        let lostNames: [String]
        /// Columns of the list for cells beyond those of the file.
        private let extras: [Int]

        init(_ source: SourceLayout, job: Job, list names: [String]) {
            let extras = names.indices.filter { names[$0].hasPrefix(CorrectedList.extraColumnPrefix) }
            let own = names.indices.filter { !extras.contains($0) }
            let isKnown = !source.names.isEmpty
            layout = CorrectedRow.Layout(
                profile: source.profile ?? job.profile ?? Generic().name,
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

        /// What is told of a list that has not all columns of the file.
        func loss(_ list: String, _ file: String?, _ unknownColumns: [String]) -> String {
            let shown = lostNames.prefix(3).map { "“\($0)”" }.joined(separator: ", ")
            let sentence =
                "\(list) has no column \(shown)\(lostNames.count > 3 ? " …" : "") of \(file ?? "its file")"
            guard let unknownColumn = unknownColumns.first else {
                return "\(sentence): what stood there is taken as empty."
            }
            return
                "\(sentence), but “\(unknownColumn)”: its records stay rejected until the columns have the file's names."
        }

        func cells(of row: [String]) -> [String] {
            var cells = sources.map { $0.map { row[$0] } ?? "" } + extras.map { row[$0] }
            while cells.count > layout.names.count, cells.last?.isEmpty == true { cells.removeLast() }
            return cells
        }
    }
}

/// What came of a mended list of errors.
package struct CorrectionCounts: Sendable, Hashable {
    /// Its rows.
    package var listed = 0
    /// Records of the job's rejects that it lists. Any other row is passed over: its record was mended before, or its
    /// number is no reject's.
    package var taken = 0
    /// Rows for a record that a row before was for: the last one counts.
    package var repeated = 0
    /// Rows that are wider or longer than the job's limits allow: their records stay as they are.
    package var tooLarge = 0
    /// Rows of a list that has other names for columns of their file: what stands there would be lost, so their records
    /// stay as they are.
    package var renamed = 0
    /// What the reader is told of dates that may be read in two ways and of columns that the list has not, a sentence or
    /// two for each of the job's files.
    package var warnings: [UserText] = []
    /// Records that are stored now.
    package var corrected = 0

    package init() {}

    /// Rows for records that the job has not rejected.
    package var passedOver: Int { listed - taken - repeated - tooLarge - renamed }
}

/// How the dates of a mended list of errors are read. The spreadsheet that it comes from may have written them as its
/// owner's country does, whatever the job's files had; and what the list says of a record counts once.
struct CorrectedDates {
    private let reading: ReadSettings
    /// For each of the job's files its columns with dates, and what the dates of its records tell.
    private var files: [(columns: [DateColumn], dates: DateSurvey, isDoubtful: Bool)] = []

    /// Reads a list.
    ///
    /// - Parameters:
    ///   - targets: For each of the job's files where its columns stand in the list.
    ///   - told: What the reader says of the list's dates.
    init(
        _ list: consuming CorrectedList, _ targets: [CorrectionImport.Target], job: Job,
        reading: ReadSettings,
        explicit: DateOrder?
    ) throws(StageFailure) {
        self.reading = reading
        for (index, target) in targets.enumerated() {
            let format = try reading.format(of: target.layout)
            let columns = DateColumn.all(of: reading.columns(of: target.layout, by: format))
            let dates = DateSurvey(explicit: explicit, known: Self.known(ofFile: index, job, reading))
            files.append((columns, dates, false))
        }
        while let row = try list.next() {
            guard row.isWhole, files.indices.contains(row.file) else { continue }
            note(targets[row.file].cells(of: row.cells), ofFile: row.file)
        }
        for index in files.indices {
            files[index].isDoubtful = files[index].dates.isDoubtful
            files[index].dates.forgetOpen()
        }
    }

    /// How the dates of a file are read, where that was said or proven.
    private static func known(ofFile index: Int, _ job: Job, _ reading: ReadSettings) -> DateOrder? {
        if let explicit = reading.explicitDateOrder { return explicit }
        if reading.dateOrder(ofFile: index) == .monthFirst { return .monthFirst }
        return job.terms?.dayFirstFiles?.contains(index) == true ? .dayFirst : nil
    }

    private mutating func note(_ cells: [String], ofFile index: Int) {
        for one in files[index].columns where one.column < cells.count {
            Array(cells[one.column].utf8).withUnsafeBytes {
                files[index].dates.note($0, showsAge: false, until: nil)
            }
        }
    }

    /// Whether a record has a date of which nothing tells in which way it is to be read.
    func isOpen(_ corrected: CorrectedRow) -> Bool {
        let file = files[corrected.position.file]
        return file.isDoubtful
            && file.columns.contains { one in
                one.column < corrected.cells.count
                    && Array(corrected.cells[one.column].utf8).withUnsafeBytes { DateSurvey.isOpen($0) }
            }
    }

    /// Notes a record that is turned away for its dates.
    mutating func noteOpen(_ corrected: CorrectedRow) {
        note(corrected.cells, ofFile: corrected.position.file)
    }

    /// How the dates of a record are read; nil where it is as those of its file.
    func order(of corrected: CorrectedRow) -> DateOrder? {
        let file = files[corrected.position.file]
        // Of a list in doubt only what can be read in one way is taken.
        guard !file.isDoubtful else { return nil }
        let order = file.dates.order
        return order == reading.dateOrder(ofFile: corrected.position.file) ? nil : order
    }

    /// What the reader is told of the records that are turned away for their dates.
    func doubts(in list: String, ofJob job: String) -> [UserText] {
        files.compactMap { $0.dates.doubt(inList: list, ofJob: job) }
    }
}
