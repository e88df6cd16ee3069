/// A quote that is opened and never closed, or closed only by a quote of another record, so that by the letter what
/// follows is one field: where its line ends. ``UnclosedQuoteSearch`` tells it.
struct UnclosedQuote {
    /// The record given up: all up to the end of the line in which the quote is opened. In offsets from its beginning.
    let mark: ParsedRecords.Mark
    /// Whether its field is open where the bytes end that were looked at.
    let isOpenAtEnd: Bool
}
