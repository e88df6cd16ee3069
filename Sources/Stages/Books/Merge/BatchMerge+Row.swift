import Bytes

/// What the reader's own row adds to a book: values for fields that nobody else gave.
extension BatchMerge {
    /// The id of the reader's own edition goes before those a provider lists: it is known to be this one's.
    mutating func offerGoodreadsID(of row: Int, _ library: borrowing LibraryRows) {
        guard isGoodreads, let id = ValueNormalizer.identifier(library.cell(.sourceID, ofRow: row), in: arena)
        else {
            return
        }
        offers.add(.editionGoodreadsID, id, from: .row)
    }

    /// Offers the row's value for every field that nobody gave.
    mutating func fill(from row: Int, _ library: borrowing LibraryRows) {
        if isMissing(.title) { offer(.title, library.rows[row].title) }
        if isMissing(.workKey) { offer(.workKey, library.cell(.openLibraryWork, ofRow: row)) }
        if isMissing(.publisher) { offer(.publisher, arena.trimmed(library.cell(.publisher, ofRow: row))) }
        if isMissing(.publicationDate) {
            offer(
                .publicationDate, ValueNormalizer.date(library.cell(.yearPublished, ofRow: row), in: &arena))
        }
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
    }

    private func isMissing(_ field: Field) -> Bool { !offers.fields.contains(field) }

    private mutating func offer(_ field: Field, _ value: Text?) {
        guard let value, !value.isEmpty else { return }
        offers.add(field, value, from: .row)
    }

    private mutating func offerSeries(of row: Int, _ library: borrowing LibraryRows) {
        for index in library.rows[row].series {
            offers.add(.seriesName, library.series[index].name, from: .row)
            offers.add(.seriesNumber, library.series[index].number, from: .row)
        }
    }
}
