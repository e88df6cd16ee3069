public import Foundation

/// An accepted job.
public struct Job: Codable, Sendable, Hashable, Identifiable {
    /// The job's name.
    public var id: String
    /// Allows its holder to watch and cancel the job.
    public var token: String
    /// When the token ends.
    public var expiresAt: Date

    /// A job that was accepted earlier.
    public init(id: String, token: String, expiresAt: Date) {
        self.id = id
        self.token = token
        self.expiresAt = expiresAt
    }

    private enum CodingKeys: String, CodingKey {
        case id = "jobId"
        case token, expiresAt
    }
}

/// Progress of a job.
public struct JobStatus: Codable, Sendable, Hashable, Identifiable {
    /// The states of a job.
    public enum State: String, Codable, Sendable, Hashable {
        /// Accepted.
        case initialized
        /// Running, waiting, or able to go on.
        case processing
        /// Done.
        case completed
        /// Ended by an error.
        case failed
        /// Ended by request.
        case canceled

        /// Whether nothing more happens.
        public var isFinal: Bool { self == .completed || self == .failed || self == .canceled }
    }

    /// The job's name.
    public var id: String
    /// Its state.
    public var status: State
    /// From 0 to 1.
    public var progress: Double
    /// Records in all; 0 if unknown.
    public var totalCount: Int
    /// Records that are done.
    public var processedCount: Int
    /// Seconds until it is done, if known.
    public var secondsLeft: Int?
    /// Its place among the jobs that wait, from 1.
    public var position: Int?
    /// The latest time at which its turn begins, if known.
    public var startsAt: Date?
    /// How complete its books are; nil until it is completed.
    public var quality: Quality?

    private enum CodingKeys: String, CodingKey {
        case id = "jobId"
        case status, progress, totalCount, processedCount, secondsLeft, position, startsAt, quality
    }
}

/// How complete the books of a job are. Rates are from 0 to 1.
public struct Quality: Codable, Sendable, Hashable {
    /// What the figures must exceed. A target that says nothing about the job is nil.
    public struct Targets: Codable, Sendable, Hashable {
        /// Of ``Quality/isbnMatchRate``.
        public var isbnMatchRate: Double?
        /// Of ``Quality/coverAvailability``.
        public var coverAvailability: Double?
        /// Of ``Quality/authorEnrichment``.
        public var authorEnrichment: Double?
        /// Of ``Quality/meanQuality``.
        public var meanQuality: Double?
    }

    /// Books with an ISBN that a provider matched by it; nil without such books, as for all figures.
    public var isbnMatchRate: Double?
    /// Books with a cover.
    public var coverAvailability: Double?
    /// Authors with facts about them.
    public var authorEnrichment: Double?
    /// Points of a book, from 0 to 100.
    public var meanQuality: Double?
    /// What the figures must exceed.
    public var targets: Targets
}

/// The results of an import.
public struct ImportResults: Codable, Sendable, Hashable {
    /// A rejected row, or a warning.
    public struct RowError: Codable, Sendable, Hashable {
        /// Number of the row in its file, from 1.
        public var row: Int
        /// The ISBN-13 of the row; empty if it has none.
        public var isbn: String
        /// The problem.
        public var error: String
        /// `NOT_FOUND` if no source has the book, `INVALID_ISBN` if ``value`` is not an ISBN.
        public var code: String?
        /// The cell that it is about.
        public var value: String?
        /// The file, if there were several.
        public var file: String?
    }

    /// New books.
    public var booksCreated: Int
    /// Books with new values.
    public var booksUpdated: Int
    /// Books without news.
    public var duplicatesSkipped: Int
    /// Created and updated books that a provider knew.
    public var enrichmentSucceeded: Int
    /// The others.
    public var enrichmentFailed: Int
    /// Rejected rows and warnings.
    public var errors: [RowError]
    /// One for each imported row.
    public var books: [Book]
}

/// A book to look up; at least one of the values.
public struct RequestedBook: Codable, Sendable, Hashable {
    /// 10 or 13 digits.
    public var isbn: String?
    /// The title.
    public var title: String?
    /// The author.
    public var author: String?

    /// A book to look up.
    public init(isbn: String? = nil, title: String? = nil, author: String? = nil) {
        self.isbn = isbn
        self.title = title
        self.author = author
    }
}
