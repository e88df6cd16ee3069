import Books

extension JobCounts {
    /// The five counts that the import view and the closing summary share.
    func bookCounts(into table: inout some FieldTable) {
        table.field("booksCreated", booksCreated)
        table.field("booksUpdated", booksUpdated)
        table.field("duplicatesSkipped", duplicatesSkipped)
        table.field("enrichmentSucceeded", enrichmentSucceeded)
        table.field("enrichmentFailed", enrichmentFailed)
    }

    /// The three counts that messages and the closing summary share.
    func totals(into table: inout some FieldTable) {
        table.field("totalProcessed", totalProcessed)
        table.field("successCount", successCount)
        table.field("failureCount", failureCount)
    }
}
