package import Books
import Contract
package import Syntax

/// The output of `etl isbn` for one input: a line of NDJSON. Fields without a value are left out.
extension ISBNAnswer: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("input", input)
        out.field("verdict", verdict)
        out.field("isbn13", isbn13)
        out.field("isbn10", isbn10)
        out.field("hyphenated", hyphenated)
        out.field("hyphenated10", hyphenated10)
        out.field("checkDigit", checkDigit)
        out.field("rule", rule)
        out.field("reason", reason)
        out.field("proposal", proposal)
        out.field("message", message)
    }
}
