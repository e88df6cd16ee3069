public import Foundation

/// A work, an edition and its authors in one flat object.
public struct Book: Codable, Sendable, Hashable, Identifiable {
    /// Empty if the edition has none.
    public var isbn: String
    /// The ISBN-13.
    public var isbn13: String?
    /// The title under which the user knows the book.
    public var title: String
    /// Names, first author first.
    public var authors: [String]
    /// The edition's publisher.
    public var publisher: String?
    /// `YYYY-MM-DD` or `YYYY`.
    public var publishedDate: String?
    /// A summary.
    public var description: String?
    /// Number of pages.
    public var pageCount: Int?
    /// Genres.
    public var categories: [String]
    /// ISO 639-1.
    public var language: String?
    /// The address of a cover.
    @WebAddress public var coverURL: URL?
    /// Mean rating by the public, 1–5.
    public var averageRating: Double?
    /// Number of ratings.
    public var ratingsCount: Int?

    /// Key that is equal for equal books: the ISBN, else title and first author.
    public var id: String { identity }

    private enum CodingKeys: String, CodingKey {
        case isbn, isbn13, title, authors, publisher, publishedDate, description, pageCount, categories,
            language
        case averageRating, ratingsCount
        case coverURL = "coverUrl"
    }

    /// A book to which more can be added.
    ///
    /// - Parameters:
    ///   - isbn: 10 or 13 digits; empty if it has none.
    ///   - title: The title.
    ///   - authors: Names, first author first.
    public init(isbn: String, title: String, authors: [String]) {
        self.isbn = isbn
        if isbn.count == 13 { isbn13 = isbn }
        self.title = title
        self.authors = authors
        categories = []
    }
}

/// A book as an idea.
public struct Work: Codable, Sendable, Hashable, Identifiable {
    /// The public key.
    public var id: String
    /// The title under which the user knows the book.
    public var title: String
    /// The work's own title, if it is another one; usually in the language of the original.
    public var originalTitle: String?
    /// Genres, then topics.
    public var subjectTags: [String]
    /// Subjects as the providers spell them.
    public var subjects: [String]
    /// Completeness of the record, 0–100.
    public var isbndbQuality: Int
    /// How far it can be trusted.
    public var reviewStatus: ReviewStatus
    /// Language of the original, ISO 639-1.
    public var originalLanguage: String?
    /// Negative before the common era.
    public var firstPublicationYear: Int?
    /// A summary.
    public var description: String?
    /// The address of a cover.
    @WebAddress public var coverImageURL: URL?
    /// Provider with the most information.
    public var primaryProvider: Provider?
    /// All who knew it.
    public var contributors: [Provider]
    /// Open Library's key.
    public var openLibraryWorkID: String?
    /// ``Author/key`` of its authors, first author first; nil from a service that is older.
    public var authorKeys: [String]?
    /// ``Edition/id`` of its editions in the same answer, the one at hand first; nil from a service that is older.
    public var editionIDs: [String]?

    private enum CodingKeys: String, CodingKey {
        case id, title, originalTitle, subjectTags, subjects, isbndbQuality, reviewStatus, originalLanguage
        case firstPublicationYear, description, coverImageURL, primaryProvider, contributors
        case openLibraryWorkID, authorKeys
        case editionIDs = "editionIds"
    }
}

/// One published form of a work.
public struct Edition: Codable, Sendable, Hashable, Identifiable {
    /// The public key.
    public var id: String
    /// The first of ``isbns``.
    public var isbn: String?
    /// All ISBN-13s, then all ISBN-10s.
    public var isbns: [String]
    /// Its form.
    public var format: EditionFormat
    /// The edition's own title.
    public var title: String?
    /// The publisher.
    public var publisher: String?
    /// `YYYY-MM-DD` or `YYYY`.
    public var publicationDate: String?
    /// Number of pages.
    public var pageCount: Int?
    /// The address of a cover.
    @WebAddress public var coverImageURL: URL?
    /// ISO 639-1.
    public var language: String?
    /// Completeness of the record, 0–100.
    public var isbndbQuality: Int
    /// Open Library's key.
    public var openLibraryEditionID: String?
    /// ``Work/id`` of its work; nil from a service that is older.
    public var workID: String?

    private enum CodingKeys: String, CodingKey {
        case id, isbn, isbns, format, title, publisher, publicationDate, pageCount, coverImageURL, language
        case isbndbQuality, openLibraryEditionID
        case workID = "workId"
    }
}

/// An author.
public struct Author: Codable, Sendable, Hashable, Identifiable {
    /// The public key; the name from a service that is older.
    public var id: String { key ?? name }
    /// The name.
    public var name: String
    /// `Female`, `Male`, `Non-binary`, `Other` or `Unknown`.
    public var gender: String
    /// A region of the world.
    public var culturalRegion: String?
    /// The name of a country.
    public var nationality: String?
    /// Negative before the common era.
    public var birthYear: Int?
    /// Negative before the common era.
    public var deathYear: Int?
    /// Open Library's key.
    public var openLibraryID: String?
    /// The public key, to which ``Work/authorKeys`` refer.
    public var key: String?
}

/// Known facts about one book.
public struct EnrichedBook: Codable, Sendable, Hashable {
    /// The book as an idea.
    public var work: Work?
    /// The edition that was asked for.
    public var edition: Edition?
    /// First author first.
    public var authors: [Author]?
    /// How the answer came about; nil if this is one of several books.
    public var metadata: AnswerMetadata?
}

/// The result of a search. Empty lists if nothing was found.
public struct SearchResults: Codable, Sendable, Hashable {
    /// Each work once.
    public var works: [Work]
    /// Their editions.
    public var editions: [Edition]
    /// Each author once.
    public var authors: [Author]
    /// The same books, flat.
    public var books: [Book]
    /// How the answer came about.
    public var metadata: AnswerMetadata?

    /// The editions of a work, the one at hand first.
    public func editions(of work: Work) -> [Edition] {
        (work.editionIDs ?? []).compactMap { id in editions.first { $0.id == id } }
    }

    /// The authors of a work, first author first.
    public func authors(of work: Work) -> [Author] {
        (work.authorKeys ?? []).compactMap { key in authors.first { $0.key == key } }
    }
}
