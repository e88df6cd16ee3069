package import Books
package import Pipeline
package import Syntax
package import System

/// Known facts about library exports before they are imported.
package struct LibrarySurvey: Sendable {
    /// Known facts about one file.
    package struct File: Sendable {
        package var fingerprint: SourceFingerprint
        /// The file's state when the survey began.
        package var state: FileState
        package var formatName: String
        /// Encoding and dialect are nil for a structured format.
        package var encoding: TextEncoding?
        package var dialect: Dialect?
        /// Records that are not blank, without the header.
        package var recordCount: Int
        /// Records before the header that are not blank.
        package var preambleCount: Int
        /// Rows of only separators, which are skipped.
        package var emptyRows = 0
        /// Date order and age of the file.
        package var dates: DateSurvey
        /// Which columns hold titles and authors.
        var use: ColumnUse
        /// Statuses that mean nothing to etl.
        var statuses: StatusSurvey
        /// The record in which the file ends and the line where it begins; nil if the file ends with a
        /// complete record.
        package var cutOff: (record: Int, line: Int)?
        /// Doubts about the encoding and the columns.
        var fileWarnings: [UserWarning] = []
        /// Records with bytes that are not valid in the encoding.
        var undecodable = 0
        /// Whether such bytes are decoded cell by cell.
        var mixesEncodings = false
        /// Whether other bytes follow the compressed data.
        package var endsInGarbage = false

        /// The latest date on which something was added or read; nil if no record has such a date.
        package var newestDate: CalendarDate? { dates.newest }

        /// Remarks for the user, one sentence each.
        package var remarks: [String] {
            var remarks: [String] = []
            if recordCount == 0 {
                remarks.append(
                    "`\(fingerprint.name)` contains \(dialect == nil ? "" : "a header but ")no records.")
            }
            if preambleCount > 0 {
                let records = preambleCount == 1 ? "1 record" : "\(preambleCount) records"
                remarks.append("Skipped \(records) before the header of `\(fingerprint.name)`.")
            }
            if emptyRows > 0 {
                let rows = emptyRows == 1 ? "1 row" : "\(emptyRows) rows"
                remarks.append("Skipped \(rows) of `\(fingerprint.name)` without any value.")
            }
            return remarks
        }

        /// A warning about characters that are lost.
        private var undecodableWarning: UserWarning? {
            guard undecodable > 0, !mixesEncodings else { return nil }
            let isOne = undecodable == 1
            return UserWarning(
                """
                \(undecodable) of \(recordCount) records of `\(fingerprint.name)` \(isOne ? "has" : "have") bytes that are \
                not valid in \(encoding?.rawValue ?? "UTF-8"): each is imported as \u{FFFD}.
                """,
                advice: """
                    Export the file again as UTF-8, or name its encoding: \
                    \(UserSetting.encoding(encoding == .windows1252 ? "windows-1250" : "windows-1252")).
                    """)
        }

        /// Warnings about what may be imported incorrectly.
        package var warnings: [UserWarning] {
            let name = fingerprint.name
            let update = "download it again and import it; entries that are already stored are updated."
            let cut = cutOff.map {
                UserWarning(
                    "`\(name)` is truncated: it ends in the middle of row \($0.record) (line \($0.line)).",
                    advice: "To get the rest, \(update)")
            }
            let garbage = UserWarning(
                UserText(DecompressedFile.trailingGarbageMessage(in: name)),
                advice: "If the file is damaged, \(update)")
            return fileWarnings + [undecodableWarning].compactMap(\.self) + use.warnings(of: name)
                + [statuses.warning(of: name)].compactMap(\.self)
                + [
                    cut, endsInGarbage ? garbage : nil, dates.doubt(in: name),
                    dates.improbableDates(in: name),
                ].compactMap { $0 }
        }
    }

    package var files: [File]
    /// Parts of archives and workbooks that are not imported.
    package var setAside: [UserWarning] = []
    /// Number of records that will be read: those of all files, or the limit.
    package var recordCount: Int

    package init(files: [File], recordCount: Int) {
        self.files = files
        self.recordCount = recordCount
    }

    /// The latest date in all files, which is the age of the export.
    package var newestDate: CalendarDate? { files.compactMap(\.newestDate).max() }

    /// The latest date in the files of each format.
    package var newestDates: [String: CalendarDate] {
        files.reduce(into: [:]) { dates, file in
            guard let date = file.newestDate else { return }
            dates[file.formatName] = max(dates[file.formatName] ?? date, date)
        }
    }

    /// The format; nil if the files have different ones.
    package var formatName: String? {
        let formatNames = Set(files.map(\.formatName))
        return formatNames.count == 1 ? formatNames.first : nil
    }

    /// Warnings about files that overwrite each other.
    package var remarks: [UserWarning] {
        var newest: [String: File] = [:]
        var remarks = setAside
        for file in files {
            guard let date = file.newestDate else { continue }
            guard let before = newest[file.formatName], let other = before.newestDate, date < other else {
                newest[file.formatName] = file
                continue
            }
            remarks.append(
                UserWarning(
                    """
                    `\(file.fingerprint.name)` (\(date)) is older than `\(before.fingerprint.name)` (\(other)), which is \
                    read first. Where they differ, the last value read wins.
                    """,
                    advice: "Specify the oldest file first, or import the files one by one."))
        }
        return remarks
    }

    /// The date order of each file, for ``ReadSettings/dateOrders``.
    package var dateOrders: [DateOrder] { files.map(\.dates.order) }

    package var source: SourceSurvey {
        SourceSurvey(recordCount: recordCount, fingerprints: files.map(\.fingerprint))
    }
}

extension ReadLibrary {
    /// Surveys all files, reading each once.
    ///
    /// - Parameters:
    ///   - latest: Later dates are typing errors and do not count for the age of an export; nil to
    ///     count all dates.
    ///   - recordLimit: Maximum number of records to be read.
    /// - Throws: If a file cannot be used, before any file is imported; `tooLarge` for more records, as soon as that is
    ///   known.
    package func surveyLibrary(
        until latest: CalendarDate? = nil, recordLimit: Int? = nil
    ) async throws(ETLError) -> LibrarySurvey {
        guard !settings.files.isEmpty else {
            throw ETLError(.configuration, "No file was specified.", advice: "Specify an export file.")
        }
        var survey = LibrarySurvey(files: [], recordCount: 0)
        survey.setAside = settings.setAside
        var settings = settings
        for (index, path) in settings.files.enumerated() {
            let file = try LibraryFile(path, index: index, settings: settings, stop: stop)
            var entry = try LibrarySurvey.File(
                file, explicit: settings.explicitDateOrder, rules: settings.rules)
            var reader = try file.survey(until: latest)
            while try reader.readOn(into: &entry) {
                try stop?.check(reading: path)
                try check(survey.recordCount + entry.recordCount, recordLimit)
                await Task.yield()
            }
            try check(survey.recordCount + entry.recordCount, recordLimit)
            entry.endsInGarbage = file.input.endsInGarbage
            settings.expansionLimit?.spend(file.input.expandedBytes)
            try entry.state.check(ArchivePath.file(of: path), advice: FileState.adviceToStartOver)
            survey.files.append(entry)
            survey.recordCount += entry.recordCount
        }
        if let limit = settings.limit { survey.recordCount = min(limit, survey.recordCount) }
        return survey
    }

    private func check(_ count: Int, _ limit: Int?) throws(ETLError) {
        guard let limit, min(settings.limit ?? .max, count) > limit else { return }
        throw ETLError(
            .tooLarge, "The input has more than \(limit) records, which is the limit.",
            advice: "Split it into smaller files.")
    }
}

extension LibrarySurvey.File {
    /// Known facts about a file before its records are read.
    ///
    /// - Parameters:
    ///   - order: The date order given by the user.
    ///   - rules: The user's rules for statuses.
    init(_ file: LibraryFile, explicit order: DateOrder?, rules: MappingRules? = nil) throws(ETLError) {
        self.init(
            fingerprint: try file.input.fingerprint(), state: file.input.state, formatName: file.format.name,
            encoding: file.text?.encoding.encoding, dialect: file.text?.dialect.dialect, recordCount: 0,
            preambleCount: file.text?.preamble.count ?? 0, dates: DateSurvey(explicit: order),
            use: ColumnUse(file), statuses: StatusSurvey(file, rules: rules))
        fileWarnings = file.encodingWarnings + ColumnCheck(file).warnings(of: fingerprint.name)
        mixesEncodings = file.format.mixesEncodings
    }
}

/// State and size of a file when it was surveyed. If a run finds the file different, it fails.
package struct SurveyedFile: Sendable, Hashable {
    /// State of the file when the survey began.
    package var state: FileState
    /// Records that are not blank.
    package var recordCount: Int

    package init(state: FileState, recordCount: Int) {
        self.state = state
        self.recordCount = recordCount
    }
}

extension LibrarySurvey {
    /// Expected findings of the following run, for ``ReadSettings/surveyed``.
    package var surveyed: [SurveyedFile] {
        files.map { SurveyedFile(state: $0.state, recordCount: $0.recordCount) }
    }
}

extension ReadSettings {
    /// The survey of a file; nil if there was no survey.
    func surveyed(fileAt index: Int) -> SurveyedFile? {
        surveyed.indices.contains(index) ? surveyed[index] : nil
    }

    /// Advice if a file changed since the survey.
    var adviceToResume: UserText { FileState.adviceToResume(explicitDateOrder) }

    /// Checks that a file has not changed since the survey.
    ///
    /// - Throws: `unusableInput` if the file changed.
    package func checkUnchanged(fileAt index: Int) throws(ETLError) {
        guard files.indices.contains(index) else { return }
        try surveyed(fileAt: index)?.state.check(ArchivePath.file(of: files[index]), advice: adviceToResume)
    }
}
