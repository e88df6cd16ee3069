package import Books
import Bytes
import Contract
package import Sources
import Store
import Syntax
import System

/// Turns a provider's answers into books as clients read them: genres are normalized, completeness is scored,
/// and authors get what the catalog's Wikidata people have about them.
package struct CatalogBookReader {
    private let provider: Provider
    private var genres = GenreLine()
    private var tags = SubjectTags()

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
        var others: [EditionDTO] = []
        for value in answers.values[answer.values] {
            if value.field == .otherEdition {
                let edition = answers.arena.withBytes(value.value) { EditionDTO(further: $0, from: provider) }
                if let edition { others.append(edition) }
                continue
            }
            let text = answers.arena[value.value]
            if value.field.isOfAuthor {
                authors[value.author, default: [:]][value.field] = text
            } else {
                values[value.field, default: []].append(text)
            }
        }
        let isbn = values[.isbn13]?.first
        let number = values[.workKey]?.first
        let id = number.map { "ol:\($0)" } ?? isbn.map { "isbn:\($0)" } ?? answers.arena[answer.record]
        let quality = quality(values, hasAuthors: !authors.isEmpty, isMatchedByISBN: isMatchedByISBN)
        var work = WorkDTO(
            id: id, title: values[.title]?.first ?? "", isbndbQuality: quality,
            reviewStatus: isMatchedByISBN ? .verified : .needsReview)
        work.rawSubjects = values[.subject] ?? []
        let names = genres.genres(
            of: work.rawSubjects.map { Array($0.utf8) }, limit: NormalizeGenres.defaultLimit)
        work.subjectTags = tags.tags(genres: names, subjects: work.rawSubjects)
        work.description = values[.description]?.first
        work.firstPublicationYear = values[.firstPublicationYear]?.first.flatMap { Int($0) }
        work.originalLanguage = values[.originalLanguage]?.first
        work.coverImageURL = (values[.workCover]?.first ?? values[.editionCover]?.first).map(
            CoverAddress.shown)
        work.goodreadsWorkIDs = values[.workGoodreadsID] ?? []
        work.librarythingIDs = values[.workLibraryThingID] ?? []
        work.openLibraryID = number
        work.isSynthetic = answer.isSynthetic
        work.primaryProvider = provider
        work.contributors = [provider]
        let edition = edition(values, isbn, quality)
        if let edition { work.show(edition) } else { work.show(titleOf: nil) }
        var found = FoundBook(
            work: work, edition: edition,
            authors: authors.sorted { $0.key < $1.key }.map { Self.author($0.value, people) }, score: score,
            isInStore: false, averageRating: Self.rating(values[.averageRating]?.first),
            ratingsCount: values[.ratingsCount]?.first.flatMap { Int($0) })
        found.otherEditions = others
        return found
    }

    /// A mean rating from 0 to 5; nil for any other text.
    private static func rating(_ text: String?) -> Double? {
        text.flatMap { Double($0) }.flatMap { (0...5).contains($0) ? $0 : nil }
    }

    private func edition(_ values: [Field: [String]], _ isbn: String?, _ quality: Int) -> EditionDTO? {
        let key = values[.editionKey]?.first
        // Services name their editions by numbers of their own, or by the ISBN alone.
        guard let id = isbn.map({ "isbn:\($0)" }) ?? key ?? values[.googleBooksVolumeID]?.first else {
            return nil
        }
        return EditionDTO(id: id, values, from: provider, quality: quality)
    }

    /// The editions of a catalog's answers, without their works.
    func editions(in answers: BookAnswers) -> [EditionDTO] {
        answers.answers.compactMap { answer in
            var values: [Field: [String]] = [:]
            for value in answers.values[answer.values] where !value.field.isOfAuthor {
                values[value.field, default: []].append(answers.arena[value.value])
            }
            let quality = quality(values, hasAuthors: true, isMatchedByISBN: false)
            return edition(values, values[.isbn13]?.first, quality)
        }
    }

    private static func author(_ values: [Field: String], _ people: [UInt32: PersonFacts]) -> AuthorDTO {
        var author = AuthorDTO(name: values[.authorName] ?? "")
        author.openLibraryID = values[.authorKey]
        author.key = author.openLibraryID.map { "ol:\($0)" }
        if author.key == nil, !author.name.isEmpty { author.key = KeyComposer.authorKey(named: author.name) }
        author.birthYear = values[.authorBirthYear].flatMap { Int($0) }
        author.deathYear = values[.authorDeathYear].flatMap { Int($0) }
        author.goodreadsID = values[.authorGoodreadsID]
        author.wikidataID = values[.authorWikidata]
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
