import Contract
package import Syntax

/// What happened to cached answers.
///
/// It is the output of `etl cache purge --json` and `etl cache import --json`.
package enum CachedAnswersReport: JSONObject, Sendable, Hashable {
    /// Answers that were deleted, so that services are asked again.
    case deleted(Int)
    /// Answers that were imported, and those that the store had already.
    case imported(Int, known: Int)

    /// Writes the fields of the object.
    package func writeFields(into out: inout JSONWriter) {
        switch self {
        case .deleted(let count): out.field("deleted", count)
        case .imported(let count, let known):
            out.field("imported", count)
            out.field("known", known)
        }
    }
}
