package import Pipeline

/// What is known of library exports before they are imported.
package struct LibrarySurvey: Sendable {
    /// What is known of one file.
    package struct File: Sendable {
        package var fingerprint: SourceFingerprint
        package var profile: String
        /// Nil for a format with a syntax of its own, as the dialect.
        package var encoding: TextEncoding?
        package var dialect: Dialect?
        /// Records that are not blank, without the header.
        package var recordCount: Int
        /// Lines passed over before the header, blank ones not counted.
        package var preambleCount: Int
        /// The latest date on which something was added or read; nil where no record has such a date.
        package var newestDate: CalendarDate?

        /// What the reader should be told of it, a sentence each.
        package var remarks: [String] {
            var remarks: [String] = []
            if recordCount == 0 {
                remarks.append(
                    "\(fingerprint.name) holds \(dialect == nil ? "" : "a header and ")no records.")
            }
            if preambleCount > 0 {
                let lines = preambleCount == 1 ? "1 line" : "\(preambleCount) lines"
                remarks.append("\(lines) before the header of \(fingerprint.name) passed over.")
            }
            return remarks
        }
    }

    package var files: [File]
    /// Records that will be read: those of all files, or the limit.
    package var recordCount: Int

    /// The latest date of all files: how old the export is (contract.md section 5a).
    package var newestDate: CalendarDate? { files.compactMap(\.newestDate).max() }

    /// The format, where all files have one.
    package var profile: String? {
        let profiles = Set(files.map(\.profile))
        return profiles.count == 1 ? profiles.first : nil
    }

    /// What the reader should be told of files that overwrite each other, a sentence each.
    package var remarks: [String] {
        var newest: [String: File] = [:]
        var remarks: [String] = []
        for file in files {
            guard let date = file.newestDate else { continue }
            guard let before = newest[file.profile], let other = before.newestDate, date < other else {
                newest[file.profile] = file
                continue
            }
            remarks.append(
                "\(file.fingerprint.name) is older (\(date)) than \(before.fingerprint.name) before it (\(other)): where they "
                    + "differ, what is read last stands. Name the oldest first, or import them one by one.")
        }
        return remarks
    }

    package var source: SourceSurvey {
        SourceSurvey(recordCount: recordCount, fingerprints: files.map(\.fingerprint))
    }
}

extension ReadLibrary {
    /// Looks at all files, reading each once.
    ///
    /// - Parameter latest: Dates behind it are slips of the pen and say nothing of how old an export is; nil where
    ///   nothing is known of today.
    /// - Throws: For a file that cannot be used, before any is imported.
    package func surveyLibrary(until latest: CalendarDate? = nil) async throws(StageFailure) -> LibrarySurvey
    {
        guard !settings.files.isEmpty else {
            throw StageFailure(.configuration, "There is no file to read.", advice: "Name an export file.")
        }
        var survey = LibrarySurvey(files: [], recordCount: 0)
        for (index, path) in settings.files.enumerated() {
            let file = try LibraryFile(path, index: index, settings: settings)
            var entry = LibrarySurvey.File(
                fingerprint: try file.input.fingerprint(),
                profile: file.format.name, encoding: file.text?.encoding.encoding,
                dialect: file.text?.dialect.dialect, recordCount: 0,
                preambleCount: file.text?.preamble.count ?? 0)
            if let text = file.text {
                var reader = try TextSurvey(file, text, until: latest)
                while try reader.readOn(into: &entry) { await Task.yield() }
            } else {
                var reader = try RecordSurvey(file, until: latest)
                while try reader.readOn(into: &entry) { await Task.yield() }
            }
            survey.files.append(entry)
            survey.recordCount += entry.recordCount
        }
        if let limit = settings.limit { survey.recordCount = min(limit, survey.recordCount) }
        return survey
    }
}

extension LibrarySurvey.File {
    /// Counts in a date, perhaps in the brackets that LibraryThing puts around it.
    fileprivate mutating func note(date bytes: UnsafeRawBufferPointer, until latest: CalendarDate?) {
        var bytes = bytes
        if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]"), bytes.count > 1 {
            bytes = UnsafeRawBufferPointer(rebasing: bytes[1..<bytes.count - 1])
        }
        guard !bytes.isEmpty, let date = CalendarDate(bytes), latest.map({ date <= $0 }) ?? true else {
            return
        }
        if newestDate.map({ $0 < date }) ?? true { newestDate = date }
    }
}

extension LibraryFile {
    /// The columns that tell how old an export is.
    fileprivate var columnsOfDates: [Int] { [columns[.dateAdded], columns[.dateRead]].compactMap(\.self) }
}

/// Counts the records of delimited text and finds its newest date, in the bytes as they stand: nothing is copied.
private struct TextSurvey: ~Copyable {
    private var reader: RecordReader
    private let dates: [Int]
    private let latest: CalendarDate?

    init(_ file: LibraryFile, _ text: DelimitedText, until latest: CalendarDate?) throws(StageFailure) {
        reader = try file.records(of: text, from: file.start)
        dates = file.columnsOfDates
        self.latest = latest
    }

    /// Takes one look; false at the end.
    mutating func readOn(into entry: inout LibrarySurvey.File) throws(StageFailure) -> Bool {
        var found = entry
        let (dates, latest) = (dates, latest)
        let isMore = try reader.passOn(counting: &entry.recordCount) { cells, bytes in
            for column in dates where column < cells.count {
                let cell = cells[cells.startIndex + column]
                guard !cell.isEmpty else { continue }
                found.note(date: UnsafeRawBufferPointer(rebasing: bytes[cell.range]), until: latest)
            }
        }
        entry.newestDate = found.newestDate
        return isMore
    }
}

/// Counts the records of a syntax of its own and finds its newest date.
private struct RecordSurvey: ~Copyable {
    private var reader: any RecordStream & ~Copyable
    private let dates: [Int]
    private let latest: CalendarDate?
    private var cells: [Text] = []
    private var records: [Record] = []
    /// The records' bytes: one memory for all, for nobody keeps any.
    private var arena = Arena(capacity: 1 << 20)

    init(_ file: LibraryFile, until latest: CalendarDate?) throws(StageFailure) {
        reader = try file.records()
        dates = file.columnsOfDates
        self.latest = latest
    }

    /// Takes about a MiB; false at the end.
    mutating func readOn(into entry: inout LibrarySurvey.File) throws(StageFailure) -> Bool {
        cells.removeAll(keepingCapacity: true)
        records.removeAll(keepingCapacity: true)
        arena.removeAll()
        guard
            try reader.fill(
                arena: &arena, cells: &cells, records: &records, maxRecords: 1024, maxBytes: 1 << 20)
        else { return false }
        for record in records where !record.isBlank {
            entry.recordCount += 1
            for column in dates where column < record.cells.count {
                arena.withBytes(cells[record.cells.lowerBound + column]) {
                    entry.note(date: $0, until: latest)
                }
            }
        }
        return true
    }
}
