/// Why no library was generated, in a sentence.
struct GenerationFailure: Error {
    /// What went wrong; the raw value is the exit status that sysexits(3) has for it.
    enum Cause: CInt {
        /// The command line is wrong.
        case usage = 64
        /// A file or folder cannot be made.
        case cannotCreate = 73
        /// Writing failed: the disk is full.
        case inputOutput = 74
    }

    let cause: Cause
    let sentence: String

    init(_ cause: Cause, _ sentence: String) {
        self.cause = cause
        self.sentence = sentence
    }
}
