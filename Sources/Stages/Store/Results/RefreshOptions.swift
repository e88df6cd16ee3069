/// Which stored books a job refreshes, and how their values change. It is stored with the job, and a later run
/// with the same options continues it.
package struct RefreshOptions: Sendable, Hashable, Codable {
    /// Which of a provider's values are written.
    package enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
        /// Only those that the library lacks.
        case fill
        /// Those that the library lacks, and those that replace an older value of the same provider or a value of
        /// the users' files.
        case replace
        /// As ``replace``, but a provider's value is only replaced by a better one (``OfferPolicy``).
        case replaceIfBetter = "replace-if-better"
    }

    /// A part that is done again from stored data, without queries.
    package enum Part: String, Sendable, Hashable, Codable, CaseIterable {
        /// Genres, from the stored subjects and the shelves.
        case genres
        /// Matches, from cached answers and catalogs, with the decisions in reviews.
        case matching
    }

    /// Consecutive rows of a job's files.
    package struct Rows: Sendable, Hashable, Codable {
        /// Row id of the job.
        package var job: Int64
        /// Numbers as a spreadsheet shows them, at most ``limit`` of them.
        package var first: Int
        package var last: Int

        package init(ofJob job: Int64, _ rows: ClosedRange<Int>) {
            self.job = job
            (first, last) = (rows.lowerBound, rows.upperBound)
        }

        /// Maximum number of rows.
        package static let limit = 10_000
    }

    /// The rows whose books are refreshed; nil for books of all rows.
    package var rows: Rows?
    /// The age of answers from which books are refreshed, in milliseconds; nil for books with answers of any age.
    package var staleAfter: Int64?
    /// Fields of which a book lacks at least one (``StoredBookField``); nil for all books.
    package var missing: [String]?
    /// A condition that books fulfill, over ``StoredBookField/schema``; nil for all books.
    package var condition: String?
    /// The library whose books are refreshed; nil for all libraries.
    package var library: String?
    /// Maximum number of books; nil for any number.
    package var limit: Int?
    /// The fields that may change (``StoredBookField``); nil for all.
    package var fields: [String]?
    package var mode: Mode
    /// Work that is done again without asking services; nil to ask them.
    package var only: Part?

    package init(mode: Mode = .replace) { self.mode = mode }

    /// The age of answers that are asked for again if ``staleAfter`` is not set: 7 days, in milliseconds.
    package static let defaultAge: Int64 = 7 * 86_400_000

    /// The instant before which answers have expired.
    ///
    /// - Parameter start: When the job started, in milliseconds since 1970.
    package func oldestAnswer(from start: Int64) -> Int64 { start - (staleAfter ?? Self.defaultAge) }
}
