import Books
import Pipeline

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
        told: DateOrder?
    ) throws(StageFailure) {
        self.reading = reading
        for (index, target) in targets.enumerated() {
            let format = try reading.format(of: target.layout)
            let columns = DateColumn.all(of: reading.columns(of: target.layout, by: format))
            let dates = DateSurvey(told: told, known: Self.known(ofFile: index, job, reading))
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
        if let told = reading.toldDateOrder { return told }
        if reading.dateOrder(ofFile: index) == .monthFirst { return .monthFirst }
        return job.terms?.dayFirstFiles?.contains(index) == true ? .dayFirst : nil
    }

    private mutating func note(_ cells: [String], ofFile index: Int) {
        for one in files[index].columns where one.column < cells.count {
            Array(cells[one.column].utf8).withUnsafeBytes {
                files[index].dates.note($0, tellsAge: false, until: nil)
            }
        }
    }

    /// Whether a record has a date of which nothing tells in which way it is to be read.
    func isOpen(_ mended: CorrectedRow) -> Bool {
        let file = files[mended.position.file]
        return file.isDoubtful
            && file.columns.contains { one in
                one.column < mended.cells.count
                    && Array(mended.cells[one.column].utf8).withUnsafeBytes { DateSurvey.isOpen($0) }
            }
    }

    /// Notes a record that is turned away for its dates.
    mutating func noteOpen(_ mended: CorrectedRow) { note(mended.cells, ofFile: mended.position.file) }

    /// How the dates of a record are read; nil where it is as those of its file.
    func order(of mended: CorrectedRow) -> DateOrder? {
        let file = files[mended.position.file]
        // Of a list in doubt only what can be read in one way is taken.
        guard !file.isDoubtful else { return nil }
        let order = file.dates.order
        return order == reading.dateOrder(ofFile: mended.position.file) ? nil : order
    }

    /// What the reader is told of the records that are turned away for their dates.
    func doubts(in list: String, ofJob job: String) -> [UserText] {
        files.compactMap { $0.dates.doubt(inList: list, ofJob: job) }
    }
}
