import Books
import Pipeline

extension Console {
    /// Tells what is worth knowing of a file that was surveyed.
    func tell(_ file: LibrarySurvey.File) {
        for remark in file.remarks { note(UserText(remark)) }
        for warning in file.warnings { warn(warning) }
    }
}
