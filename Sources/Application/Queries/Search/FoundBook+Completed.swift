import Books
import Bytes
package import Contract
import Store
import System

extension [FoundBook] {
    /// These books, followed by those of services that are not among them: books with other ISBNs, and not with the same
    /// title and author. A book that only the user's own file knows is completed with what the service has about it.
    package func followed(by others: [FoundBook]) -> [FoundBook] {
        var books = self
        var places: [String: [Int]] = [:]
        for (place, book) in enumerated() {
            for name in Set(book.recognizableBy) { places[name, default: []].append(place) }
        }
        for other in others {
            let known = Set(other.recognizableBy.flatMap { places[$0] ?? [] })
            if known.isEmpty { books.append(other) }
            for place in known { books[place].complete(with: other) }
        }
        return books
    }
}

extension FoundBook {
    /// A provider's book, without a place in a list.
    package init?(_ book: EnrichedBook) {
        guard let work = book.work else { return nil }
        self.init(work: work, edition: book.edition, authors: book.authors, score: 0, isInStore: false)
    }

    /// Whether only the user's own file knows it: no provider has told anything about it.
    package var isBare: Bool { isInStore && work.primaryProvider == nil }

    /// Fills the gaps of a bare book with a provider's record of it. What the user has stays. Nothing happens if it is not
    /// bare, or the record is of another book.
    package mutating func complete(with record: FoundBook) {
        guard isBare, isSameBook(as: record) else { return }
        let isbns = Set(edition?.isbn13s ?? [])
        let own = record.editions.first { !isbns.isDisjoint(with: $0.isbn13s) }
        if let own { edition?.complete(with: own) }
        let ids = Set(editions.map(\.id))
        let further = record.editions.filter { $0 != own && !ids.contains($0.id) }
        otherEditions = Array((otherEditions + further).prefix(EditionOrder.most - 1))
        work.complete(with: record.work, isMatchedByISBN: own != nil)
        work.coverImageURL = work.coverImageURL ?? edition?.coverImageURL ?? record.work.coverImageURL
        if authors.isEmpty { authors = record.authors }
        for index in authors.indices {
            let key = KeyComposer.authorKey(named: authors[index].name)
            let known = record.authors.first { KeyComposer.authorKey(named: $0.name) == key }
            if let known { authors[index].complete(with: known) }
        }
        if averageRating == nil {
            (averageRating, ratingsCount) = (record.averageRating, record.ratingsCount)
        }
    }

    /// Whether the titles begin with the same words, or the first authors have the same name. ISBNs alone are not enough:
    /// users' files have wrong ones.
    private func isSameBook(as record: FoundBook) -> Bool {
        func titles(_ book: FoundBook) -> [[Substring]] {
            [book.work.title, book.work.ownTitle].map {
                TitleForm.words(KeyNormalizer.fold($0)).joined(separator: " ").split(separator: " ")
            }
            .filter { !$0.isEmpty }
        }
        for ours in titles(self) {
            for theirs in titles(record) where ours.starts(with: theirs) || theirs.starts(with: ours) {
                return true
            }
        }
        guard let ours = authors.first?.name, let theirs = record.authors.first?.name else { return false }
        return KeyComposer.authorKey(named: ours) == KeyComposer.authorKey(named: theirs)
    }

    /// By what the same book of a service is recognized: keys, the ISBNs of all editions, and title with author.
    fileprivate var recognizableBy: [String] {
        let isbns = editions.flatMap(\.isbn13s).map { "isbn:\($0)" }
        guard let author = authors.first?.name else { return identities + isbns }
        let by = KeyComposer.authorKey(named: author)
        let titles = [work.title, work.ownTitle].map {
            TitleForm.words(KeyNormalizer.fold($0)).joined(separator: " ")
        }
        return identities + isbns + titles.filter { !$0.isEmpty }.map { "\(by)|\($0)" }
    }
}

extension WorkDTO {
    /// Fills gaps with those of a provider's work.
    fileprivate mutating func complete(with record: WorkDTO, isMatchedByISBN: Bool) {
        if rawSubjects.isEmpty { rawSubjects = record.rawSubjects }
        for tag in record.subjectTags where !subjectTags.contains(tag) && subjectTags.count < Self.mostTags {
            subjectTags.append(tag)
        }
        if goodreadsWorkIDs.isEmpty { goodreadsWorkIDs = record.goodreadsWorkIDs }
        if librarythingIDs.isEmpty { librarythingIDs = record.librarythingIDs }
        if googleBooksVolumeIDs.isEmpty { googleBooksVolumeIDs = record.googleBooksVolumeIDs }
        originalLanguage = originalLanguage ?? record.originalLanguage
        firstPublicationYear = firstPublicationYear ?? record.firstPublicationYear
        description = description ?? record.description
        isSynthetic = isSynthetic ?? record.isSynthetic
        openLibraryID = openLibraryID ?? record.openLibraryID
        isbndbID = isbndbID ?? record.isbndbID
        lastISBNDBSync = lastISBNDBSync ?? record.lastISBNDBSync
        (primaryProvider, contributors) = (record.primaryProvider, record.contributors)
        isbndbQuality = max(isbndbQuality, record.isbndbQuality)
        if isMatchedByISBN, reviewStatus == .needsReview { reviewStatus = record.reviewStatus }
    }

    /// Maximum number of genres and topics together, unless there are more genres.
    private static let mostTags = 12
}

extension EditionDTO {
    /// Fills gaps with those of a provider's record with the same ISBN.
    fileprivate mutating func complete(with record: EditionDTO) {
        if physicalFormat == nil, record.physicalFormat != nil {
            (format, physicalFormat) = (record.format, record.physicalFormat)
        }
        if isbn10s.isEmpty { isbn10s = record.isbn10s }
        if amazonASINs.isEmpty { amazonASINs = record.amazonASINs }
        if googleBooksVolumeIDs.isEmpty { googleBooksVolumeIDs = record.googleBooksVolumeIDs }
        if librarythingIDs.isEmpty { librarythingIDs = record.librarythingIDs }
        title = title ?? record.title
        publisher = publisher ?? record.publisher
        publicationDate = publicationDate ?? record.publicationDate
        pageCount = pageCount ?? record.pageCount
        coverImageURL = coverImageURL ?? record.coverImageURL
        editionDescription = editionDescription ?? record.editionDescription
        language = language ?? record.language
        openLibraryID = openLibraryID ?? record.openLibraryID
        isbndbID = isbndbID ?? record.isbndbID
        goodreadsID = goodreadsID ?? record.goodreadsID
        lastISBNDBSync = lastISBNDBSync ?? record.lastISBNDBSync
        (primaryProvider, contributors) = (record.primaryProvider, record.contributors)
        isbndbQuality = max(isbndbQuality, record.isbndbQuality)
    }
}

extension AuthorDTO {
    /// Fills gaps with what a provider has about the author of this name.
    fileprivate mutating func complete(with record: AuthorDTO) {
        if openLibraryID == nil, record.openLibraryID != nil {
            (openLibraryID, key) = (record.openLibraryID, record.key)
        }
        birthYear = birthYear ?? record.birthYear
        deathYear = deathYear ?? record.deathYear
        goodreadsID = goodreadsID ?? record.goodreadsID
        wikidataID = wikidataID ?? record.wikidataID
        if gender == .unknown { gender = record.gender }
        nationality = nationality ?? record.nationality
        culturalRegion = culturalRegion ?? record.culturalRegion
    }
}
