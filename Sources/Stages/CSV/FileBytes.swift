package import Pipeline

extension FileBytes {
    /// The first bytes of a file, at most `count`: what the guesses of encoding, dialect and format look at.
    package static func head(of path: String, count: Int = 64 * 1024) throws(StageFailure) -> [UInt8] { [] }
}

package enum FileBytes {}
