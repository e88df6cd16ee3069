import Pipeline

/// Looks at the records of one file, portion by portion.
protocol FileSurvey: ~Copyable {
    /// Takes one look, and notes what is known by then; false at the end.
    mutating func readOn(into entry: inout LibrarySurvey.File) throws(StageFailure) -> Bool
}

extension LibraryFile {
    /// Begins to look at the file.
    ///
    /// - Parameter latest: Dates behind it say nothing of how old an export is; nil where nothing is known of today.
    func survey(until latest: CalendarDate?) throws(StageFailure) -> any FileSurvey & ~Copyable {
        if let text { return try TextSurvey(self, text, until: latest) }
        return try RecordSurvey(self, until: latest)
    }
}
