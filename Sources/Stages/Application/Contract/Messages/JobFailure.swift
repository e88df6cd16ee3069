import Syntax

/// The payload of an `error` message: the job failed as a whole.
package struct JobFailure: Sendable, Hashable {
    package var code: ErrorCode
    /// One sentence.
    package var message: String
    /// Physical line of the input, from 1, where there is one to blame.
    package var lineNumber: Int?

    package init(_ code: ErrorCode, _ message: String, lineNumber: Int? = nil) {
        self.code = code
        self.message = message
        self.lineNumber = lineNumber
    }

    func writeFields(into out: inout JSONWriter) {
        out.field("code", code)
        out.field("message", message)
        out.field("retryable", code.isRetryable)
        out.field("details") { out in out.field("lineNumber", lineNumber) }
    }
}
