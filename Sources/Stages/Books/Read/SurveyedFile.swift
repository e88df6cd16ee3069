package import Pipeline
package import Syntax

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
    var adviceToResume: UserText { FileState.adviceToResume(toldDateOrder) }

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
    package static func adviceToResume(_ told: DateOrder? = nil) -> UserText {
        "Restore the old file and resume the job, or start over with \(UserCommand.restart(dates: told))."
    }
}
