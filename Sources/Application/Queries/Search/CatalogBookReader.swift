package import Books
import Bytes
import Contract
package import Sources
import Syntax
import System

/// Turns a provider's answers into books as clients read them: genres are normalized, completeness is scored,
/// and authors get what the catalog's Wikidata people have about them.
package struct CatalogBookReader {
    private let provider: Provider
    private var genres = GenreLine()

    package init(provider: Provider) { self.provider = provider }

    /// The book of an answer; nil if nothing was found.
    ///
    /// - Parameters:
    ///   - isMatchedByISBN: Whether the query was an ISBN; words of a title or a name prove less.
    ///   - people: The people that the answers' authors refer to, by item.
    package mutating func book(
        _ answer: BookAnswer, of answers: BookAnswers, score: Double, isMatchedByISBN: Bool,
        people: [UInt32: PersonFacts] = [:]
    ) -> FoundBook? {
        guard answer.outcome == .found else { return nil }
        var values: [Field: [String]] = [:]
        var authors: [UInt8: [Field: String]] = [:]
        for value in answers.values[answer.values] {
            let text = answers.arena[value.value]
            if value.field.isOfAuthor {
                authors[value.author, default: [:]][value.field] = text
            } else {
                values[value.field, default: []].append(text)
            }
        }
        let isbn = values[.isbn13]?.first
        let number = values[.workKey]?.first
        let title = values[.title]?.first ?? values[.editionTitle]?.first ?? ""
        let id = number.map { "ol:\($0)" } ?? isbn.map { "isbn:\($0)" } ?? answers.arena[answer.record]
        let quality = quality(values, hasAuthors: !authors.isEmpty, isMatchedByISBN: isMatchedByISBN)
        var work = WorkDTO(
            id: id, title: title, isbndbQuality: quality,
            reviewStatus: isMatchedByISBN ? .verified : .needsReview)
        work.rawSubjects = values[.subject] ?? []
        work.subjectTags = genres.genres(
            of: work.rawSubjects.map { Array($0.utf8) }, limit: NormalizeGenres.defaultLimit)
        work.description = values[.description]?.first
        work.firstPublicationYear = values[.firstPublicationYear]?.first.flatMap { Int($0) }
        work.originalLanguage = values[.originalLanguage]?.first
        work.coverImageURL = values[.workCover]?.first ?? values[.editionCover]?.first
        work.goodreadsWorkIDs = values[.workGoodreadsID] ?? []
        work.librarythingIDs = values[.workLibraryThingID] ?? []
        work.openLibraryID = number
        work.isSynthetic = answer.isSynthetic
        work.primaryProvider = provider
        work.contributors = [provider]
        return FoundBook(
            work: work, edition: edition(values, isbn, quality),
            authors: authors.sorted { $0.key < $1.key }.map { Self.author($0.value, people) }, score: score,
            isInStore: false)
    }

    private func edition(_ values: [Field: [String]], _ isbn: String?, _ quality: Int) -> EditionDTO? {
        let key = values[.editionKey]?.first
        // Services name their editions by numbers of their own, or by the ISBN alone.
        guard let id = isbn.map({ "isbn:\($0)" }) ?? key ?? values[.googleBooksVolumeID]?.first else {
            return nil
        }
        let format = values[.format]?.first.flatMap { name in
            EditionFormat.allCases.first { $0.contractName == name }
        }
        var edition = EditionDTO(
            id: id, format: format ?? .paperback, isbndbQuality: quality)
        edition.isbn13s = values[.isbn13] ?? []
        edition.isbn10s = values[.isbn10] ?? []
        edition.title = values[.editionTitle]?.first
        edition.publisher = values[.publisher]?.first
        edition.publicationDate = values[.publicationDate]?.first.flatMap { PublicationDate($0)?.description }
        edition.pageCount = values[.pageCount]?.first.flatMap { Int($0) }
        edition.coverImageURL = values[.editionCover]?.first
        edition.editionDescription = values[.editionDescription]?.first
        edition.language = values[.language]?.first
        edition.openLibraryID = key
        edition.goodreadsID = values[.editionGoodreadsID]?.first
        edition.librarythingIDs = values[.editionLibraryThingID] ?? []
        edition.amazonASINs = values[.amazonASIN] ?? []
        edition.googleBooksVolumeIDs = values[.googleBooksVolumeID] ?? []
        edition.primaryProvider = provider
        edition.contributors = [provider]
        return edition
    }

    private static func author(_ values: [Field: String], _ people: [UInt32: PersonFacts]) -> AuthorDTO {
        var author = AuthorDTO(name: values[.authorName] ?? "")
        author.openLibraryID = values[.authorKey]
        author.key = values[.authorKey].map { "ol:\($0)" }
        author.birthYear = values[.authorBirthYear].flatMap { Int($0) }
        author.deathYear = values[.authorDeathYear].flatMap { Int($0) }
        author.goodreadsID = values[.authorGoodreadsID]
        guard let facts = item(values).flatMap({ people[$0] }) else { return author }
        author.gender = facts.gender
        author.nationality = facts.nationality
        author.culturalRegion = facts.region
        author.birthYear = facts.birthYear.map(Int.init) ?? author.birthYear
        author.deathYear = facts.deathYear.map(Int.init) ?? author.deathYear
        return author
    }

    /// The Wikidata item that an author's record names.
    private static func item(_ values: [Field: String]) -> UInt32? {
        values[.authorWikidata].flatMap { UInt32($0.dropFirst()) }
    }

    /// The items that the authors of all answers name.
    static func items(in answers: BookAnswers) -> [UInt32] {
        answers.values.filter { $0.field == .authorWikidata }.compactMap {
            UInt32(answers.arena[$0.value].dropFirst())
        }
    }

    private func quality(_ values: [Field: [String]], hasAuthors: Bool, isMatchedByISBN: Bool) -> Int {
        var evidence = QualityScore.Evidence(
            hasAuthors: hasAuthors, matchedByISBN: isMatchedByISBN, providers: 1)
        for field in values.keys { evidence.fields.insert(field) }
        return Int(QualityScore.score(evidence))
    }
}
