import Books
import Syntax

extension JobCounts {
    /// Writes the five counts that the import view and the closing summary share.
    func writeBookCounts(into out: inout JSONWriter) {
        out.field("booksCreated", booksCreated)
        out.field("booksUpdated", booksUpdated)
        out.field("duplicatesSkipped", duplicatesSkipped)
        out.field("enrichmentSucceeded", enrichmentSucceeded)
        out.field("enrichmentFailed", enrichmentFailed)
    }

    /// Writes the three counts that messages and the closing summary share.
    func writeTotals(into out: inout JSONWriter) {
        out.field("totalProcessed", totalProcessed)
        out.field("successCount", successCount)
        out.field("failureCount", failureCount)
    }
}
