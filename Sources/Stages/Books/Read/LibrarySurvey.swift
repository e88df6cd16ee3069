package import Pipeline
package import Syntax

/// What is known of library exports before they are imported.
package struct LibrarySurvey: Sendable {
    /// What is known of one file.
    package struct File: Sendable {
        package var fingerprint: SourceFingerprint
        /// What it was when the survey began.
        package var state: FileState
        package var profile: String
        /// Nil for a format with a syntax of its own, as the dialect.
        package var encoding: TextEncoding?
        package var dialect: Dialect?
        /// Records that are not blank, without the header.
        package var recordCount: Int
        /// Lines passed over before the header, blank ones not counted.
        package var preambleCount: Int
        /// What its dates tell.
        package var dates: DateSurvey
        /// The record that the file ends within, and the line in which it begins; nil where it ends with a whole one.
        package var cutOff: (record: Int, line: Int)?
        /// Whether something follows its packed data.
        package var endsInGarbage = false

        /// The latest date on which something was added or read; nil where no record has such a date.
        package var newestDate: CalendarDate? { dates.newest }

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

        /// What of it may have come into the library wrongly, a sentence or two each.
        package var warnings: [UserText] {
            let name = fingerprint.name
            let update = "what is here already is brought up to date."
            let cut = cutOff.map {
                "\(name) ends within record \($0.record) (line \($0.line)): it was probably cut off. Download it again "
                    + "and import it: \(update)"
            }
            let garbage = "\(DecompressedFile.trailingGarbageMessage(in: name)) import it: \(update)"
            let damage = [cut, endsInGarbage ? garbage : nil].compactMap { $0.map { UserText($0) } }
            return damage + (dates.doubt(in: name).map { [$0] } ?? [])
        }
    }

    package var files: [File]
    /// Records that will be read: those of all files, or the limit.
    package var recordCount: Int

    package init(files: [File], recordCount: Int) {
        self.files = files
        self.recordCount = recordCount
    }

    /// The latest date of all files: how old the export is (contract.md section 5a).
    package var newestDate: CalendarDate? { files.compactMap(\.newestDate).max() }

    /// The same of the files of each format.
    package var newestDates: [String: CalendarDate] {
        files.reduce(into: [:]) { dates, file in
            guard let date = file.newestDate else { return }
            dates[file.profile] = max(dates[file.profile] ?? date, date)
        }
    }

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

    /// How the dates of each file are read, for ``ReadSettings/dateOrders``.
    package var dateOrders: [DateOrder] { files.map(\.dates.order) }

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
            let file = try LibraryFile(path, index: index, settings: settings, stop: stop)
            var entry = try LibrarySurvey.File(file, explicit: settings.explicitDateOrder)
            var reader = try file.survey(until: latest)
            while try reader.readOn(into: &entry) {
                guard stop?.isRaised != true else {
                    throw StageFailure(
                        .temporary, "\(path) was not looked at to its end.",
                        advice: "Give the same command again.")
                }
                await Task.yield()
            }
            entry.endsInGarbage = file.input.endsInGarbage
            try entry.state.check(path, advice: FileState.adviceToStartOver)
            survey.files.append(entry)
            survey.recordCount += entry.recordCount
        }
        if let limit = settings.limit { survey.recordCount = min(limit, survey.recordCount) }
        return survey
    }
}

extension LibrarySurvey.File {
    /// What is known of a file before its records are read.
    ///
    /// - Parameter order: What the reader says of its dates.
    init(_ file: LibraryFile, explicit order: DateOrder?) throws(StageFailure) {
        self.init(
            fingerprint: try file.input.fingerprint(), state: file.input.state, profile: file.format.name,
            encoding: file.text?.encoding.encoding, dialect: file.text?.dialect.dialect, recordCount: 0,
            preambleCount: file.text?.preamble.count ?? 0, dates: DateSurvey(explicit: order))
    }

    /// Reads the whole file in one go.
    init(reading file: LibraryFile, explicit order: DateOrder?) throws(StageFailure) {
        try self.init(file, explicit: order)
        var reader = try file.survey(until: nil)
        while try reader.readOn(into: &self) {}
        endsInGarbage = file.input.endsInGarbage
    }
}

/// What a file was when it was surveyed: a run reads that very file, or fails.
package struct SurveyedFile: Sendable, Hashable {
    /// When the survey began.
    package var state: FileState
    /// Records that are not blank.
    package var recordCount: Int

    package init(state: FileState, recordCount: Int) {
        self.state = state
        self.recordCount = recordCount
    }
}

extension LibrarySurvey {
    /// What a run that follows has to find, for ``ReadSettings/surveyed``.
    package var surveyed: [SurveyedFile] {
        files.map { SurveyedFile(state: $0.state, recordCount: $0.recordCount) }
    }
}

extension ReadSettings {
    /// What the survey found of a file; nil where none was made.
    func surveyed(fileAt index: Int) -> SurveyedFile? {
        surveyed.indices.contains(index) ? surveyed[index] : nil
    }

    /// What to do where a file is not what was surveyed.
    var adviceToResume: UserText { FileState.adviceToResume(explicitDateOrder) }

    /// Makes sure that what was read of a file is what was surveyed.
    ///
    /// - Throws: `unusableInput` where it was written to since.
    package func checkUnchanged(fileAt index: Int) throws(StageFailure) {
        guard files.indices.contains(index) else { return }
        try surveyed(fileAt: index)?.state.check(files[index], advice: adviceToResume)
    }
}

extension FileState {
    /// What to do where a job has begun to read it.
    ///
    /// - Parameter told: What the reader says of its dates.
    package static func adviceToResume(_ explicit: DateOrder? = nil) -> UserText {
        "Restore the old file and resume the job, or start over with \(UserCommand.restart(dates: explicit))."
    }
}
