/// Why no library was generated, in a sentence.
struct GenerationFailure: Error {
    /// The cause; its raw value is the exit status of sysexits(3).
    enum Cause: CInt {
        /// The command line is wrong.
        case usage = 64
        /// A file or folder cannot be created.
        case cannotCreate = 73
        /// Writing failed, for example because the disk is full.
        case inputOutput = 74
    }

    let cause: Cause
    let sentence: String

    init(_ cause: Cause, _ sentence: String) {
        self.cause = cause
        self.sentence = sentence
    }
}
