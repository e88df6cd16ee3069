import Books
import Bytes

/// Values from the user's row, for fields that no candidate provides.
extension BatchMerge {
    /// The row's own Goodreads id comes before those of providers, because it is certain to be this
    /// edition's.
    mutating func offerGoodreadsID(of row: Int, _ library: borrowing LibraryRows) {
        guard isGoodreads, let id = ValueNormalizer.identifier(library.cell(.sourceID, ofRow: row), in: arena)
        else {
            return
        }
        offers.add(.editionGoodreadsID, id, from: .row)
    }

    /// Offers the row's title as the edition's if the row was matched by its title, and the work has a different
    /// one: a translation keeps the title under which the user knows it.
    mutating func offerOwnTitle(
        of row: Int, _ candidates: ArraySlice<Candidate>, _ library: borrowing LibraryRows
    ) {
        let own = library.rows[row].title
        guard !own.isEmpty, !candidates.isEmpty, isMissing(.editionTitle),
            candidates.allSatisfy({ $0.match.isByTitle }),
            let theirs = offers.first(.title, where: { _ in true })?.value, !arena.equal(own, theirs)
        else { return }
        let isSame = arena.withBytes(own) { own in
            arena.withBytes(theirs) {
                TitleForm.haveSameBeginning(own, $0) || TitleForm.isCutOff(own, from: $0)
            }
        }
        // A typing error is no other title.
        if !isSame, TypingError.parts(ParsedTitle(arena[own]), ParsedTitle(arena[theirs])) == nil {
            offers.add(.editionTitle, own, from: .row)
        }
    }

    /// Offers the row's value for every field without a value.
    mutating func fill(from row: Int, _ library: borrowing LibraryRows) {
        if isMissing(.title) { offer(.title, library.rows[row].title) }
        if isMissing(.workKey) { offerKey(.workKey, .work, row, library) }
        if isMissing(.editionKey) { offerKey(.editionKey, .edition, row, library) }
        if isMissing(.publisher) { offer(.publisher, arena.trimmed(library.cell(.publisher, ofRow: row))) }
        offerDate(of: row, library)
        if isMissing(.firstPublicationYear) {
            let cell = arena.trimmed(library.cell(.originalYear, ofRow: row))
            offer(.firstPublicationYear, ValueNormalizer.year(cell, in: &arena))
        }
        if isMissing(.pageCount) {
            offer(.pageCount, ValueNormalizer.count(library.cell(.pageCount, ofRow: row), in: arena))
        }
        if isMissing(.language) {
            offer(.language, ValueNormalizer.language(library.cell(.language, ofRow: row), in: arena))
        }
        if isMissing(.averageRating) {
            offer(
                .averageRating, ValueNormalizer.rating(library.cell(.averageRating, ofRow: row), in: &arena))
        }
        if isMissing(.format), let format = library.rows[row].format { offer(.format, name(of: format)) }
        if isMissing(.seriesName) { offerSeries(of: row, library) }
        offerSubjects(of: row, library)
        if isMissing(.workLibraryThingID) {
            offerIdentifier(.workLibraryThingID, .libraryThingWork, row, library)
        }
        if isMissing(.editionGoodreadsID) {
            offerIdentifier(.editionGoodreadsID, .goodreadsBook, row, library)
        }
        if isMissing(.amazonASIN) {
            let cell = arena.trimmed(library.cell(.asin, ofRow: row))
            let isASIN = arena.withBytes(cell) { BookIdentifier.amazon.normalized($0) != nil }
            if isASIN { offer(.amazonASIN, cell) }
        }
        if isMissing(.originalLanguage) {
            offer(
                .originalLanguage,
                ValueNormalizer.language(library.cell(.originalLanguage, ofRow: row), in: arena))
        }
    }

    /// Offers the row's date of publication if no candidate has one, or if it is a full date in the year of one.
    private mutating func offerDate(of row: Int, _ library: borrowing LibraryRows) {
        let cell = library.cell(.yearPublished, ofRow: row)
        if isMissing(.publicationDate) {
            return offer(.publicationDate, ValueNormalizer.date(cell, in: &arena))
        }
        guard cell.length > 4, let date = ValueNormalizer.date(cell, in: &arena) else { return }
        let isFiner = offers.first(.publicationDate) { other in
            arena.withBytes(date) { date in arena.withBytes(other.value) { PublicationDate.refines(date, $0) }
            }
        }
        if isFiner != nil { offer(.publicationDate, date) }
    }

    private mutating func offerIdentifier(
        _ field: Field, _ column: LibraryField, _ row: Int, _ library: borrowing LibraryRows
    ) {
        offer(field, ValueNormalizer.identifier(library.cell(column, ofRow: row), in: arena))
    }

    /// Offers Open Library's key of a kind. Programs put the key of a work into a column for editions too.
    private mutating func offerKey(
        _ field: Field, _ kind: OpenLibraryKey.Kind, _ row: Int, _ library: borrowing LibraryRows
    ) {
        for column in [LibraryField.openLibraryWork, .openLibraryEdition] {
            let cell = library.cell(column, ofRow: row)
            guard !cell.isEmpty, let key = arena.withBytes(cell, { OpenLibraryKey($0) }), key.kind == kind
            else { continue }
            return offer(field, arena.append { key.append(to: &$0) })
        }
    }

    private func isMissing(_ field: Field) -> Bool { !offers.fields.contains(field) }

    private mutating func offer(_ field: Field, _ value: Text?) {
        guard let value, !value.isEmpty else { return }
        offers.add(field, value, from: .row)
    }

    /// Offers the row's own genres and subjects, in addition to those of providers.
    private mutating func offerSubjects(of row: Int, _ library: borrowing LibraryRows) {
        let cell = library.cell(.subjects, ofRow: row)
        guard !cell.isEmpty else { return }
        var left = cell
        var count = 0
        while !left.isEmpty, count < Self.maxSubjects {
            offer(.subject, arena.trimmed(arena.cut(at: UInt8(ascii: ";"), from: &left)))
            count += 1
        }
    }

    /// Subjects of a row that are used. A cell may have any number.
    private static let maxSubjects = 512

    private mutating func offerSeries(of row: Int, _ library: borrowing LibraryRows) {
        for index in library.rows[row].series {
            offers.add(.seriesName, library.series[index].name, from: .row)
            offers.add(.seriesNumber, library.series[index].number, from: .row)
        }
    }
}
