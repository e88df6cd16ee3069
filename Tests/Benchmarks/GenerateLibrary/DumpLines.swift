import TestSupport

/// Writes the books of a generated library as lines of Open Library's dumps: type, key, revision, time and
/// JSON.
enum DumpLines {
    private static let time: StaticString = "2021-02-12T23:39:01.417876"

    /// Changes from one dump to the next.
    struct Version {
        var revision = 2
        /// A random number from 0 to 999,999 that decides which further fields the record has; nil for none.
        var draw: Int?

        /// The random numbers that decide about a record.
        static func draws(of number: Int, seed: UInt64) -> SeededGenerator {
            SeededGenerator(seed: seed ^ 0xD0_17 &+ UInt64(number) &* 0x8CB9_2BA7_2F3D_8DD7)
        }

        /// Changes one record in fifty in each month after the first.
        mutating func age(to month: Int, _ draws: inout SeededGenerator) {
            guard month > 1 else { return }
            for _ in 2...month where draws.upTo(50) == 0 { revision += 1 }
        }
    }

    /// Appends the record of the edition in the book's row.
    static func appendEdition(
        _ book: GeneratedBook, _ version: Version = Version(), to line: inout [UInt8]
    ) {
        begin("/type/edition\t/books/OL", book.number, "M", version, to: &line)
        line.append("{\"publishers\": [\"")
        line.append(publisher: book.publisher)
        line.append("\"], \"number_of_pages\": ")
        line.append(number: book.pages + version.revision)
        if book.isbn != .none {
            line.append(", \"isbn_10\": [\"")
            line.append(isbn10Of: book)
            line.append("\"], \"isbn_13\": [\"")
            line.append(isbn13Of: book)
            line.append("\"]")
        }
        line.append(", \"physical_format\": \"")
        line.append(Words.bindings[book.binding])
        line.append("\", \"publish_date\": \"March 3, ")
        line.append(number: book.year)
        line.append("\", \"covers\": [")
        line.append(number: 100_000 + book.number)
        line.append("], \"languages\": [{\"key\": \"/languages/eng\"}], \"identifiers\": {\"goodreads\": [\"")
        line.append(number: 1_000 + book.number)
        line.append("\"]}, \"title\": \"")
        line.append(titleOf: book.title ?? book.work)
        line.append("\", \"authors\": [{\"key\": \"/authors/OL")
        line.append(number: 1 + book.author)
        line.append("A\"}], \"works\": [{\"key\": \"/works/OL")
        line.append(number: 1 + book.work)
        line.append("W\"}], ")
        if let draw = version.draw { appendFurtherFields(ofEdition: book, draw, to: &line) }
        end("edition", "books", book.number, "M", version, to: &line)
    }

    /// Appends the record of the book's work.
    static func appendWork(
        _ book: GeneratedBook, _ version: Version = Version(), to line: inout [UInt8]
    ) {
        var draws = SeededGenerator(seed: UInt64(book.work))
        begin("/type/work\t/works/OL", book.work, "W", version, to: &line)
        line.append("{\"title\": \"")
        line.append(titleOf: book.title ?? book.work)
        line.append(
            "\", \"authors\": [{\"type\": {\"key\": \"/type/author_role\"}, \"author\": {\"key\": \"/authors/OL"
        )
        line.append(number: 1 + book.author)
        line.append("A\"}}], \"first_publish_date\": \"")
        line.append(number: book.firstYear)
        line.append("\", \"subjects\": [")
        let first = draws.upTo(Words.subjects.count)
        for place in 0...draws.upTo(8) {
            line.append(place == 0 ? "\"" : ", \"")
            line.append(Words.subjects[(first + 5 * place) % Words.subjects.count])
            line.append("\"")
        }
        line.append("], \"covers\": [")
        line.append(number: 100_000 + book.number)
        line.append("], ")
        if draws.upTo(3) == 0 {
            line.append("\"description\": {\"type\": \"/type/text\", \"value\": \"In ")
            line.append(nameOf: book.work, syllables: 3)
            line.append(", where nobody has ever closed a door, a stranger asks for the way.\\r\\n")
            line.append("What follows is a story of three sisters, a map and the end of a long summer.\"}, ")
        }
        end("work", "works", book.work, "W", version, to: &line)
    }

    /// Appends the record of an author.
    static func appendAuthor(
        _ author: Int, _ version: Version = Version(), to line: inout [UInt8]
    ) {
        begin("/type/author\t/authors/OL", author, "A", version, to: &line)
        line.append("{\"name\": \"")
        line.append(nameOf: author)
        line.append("\", \"personal_name\": \"")
        line.append(nameOf: author)
        line.append("\", ")
        if author % 3 == 0 {
            line.append("\"birth_date\": \"")
            line.append(number: 1_850 + author % 140)
            line.append("\", \"remote_ids\": {\"wikidata\": \"Q")
            line.append(number: 1_000 + author)
            line.append("\"}, ")
        }
        end("author", "authors", author, "A", version, to: &line)
    }

    /// Appends the record that a work was merged into another one.
    static func appendRedirect(
        _ work: Int, to target: Int, _ version: Version, to line: inout [UInt8]
    ) {
        begin("/type/redirect\t/works/OL", work, "W", version, to: &line)
        line.append("{\"location\": \"/works/OL")
        line.append(number: 1 + target)
        line.append("W\", ")
        end("redirect", "works", work, "W", version, to: &line)
    }

    /// Appends the record that a work was deleted.
    static func appendDelete(_ work: Int, _ version: Version, to line: inout [UInt8]) {
        begin("/type/delete\t/works/OL", work, "W", version, to: &line)
        line.append("{")
        end("delete", "works", work, "W", version, to: &line)
    }

    /// Further fields of real edition records, about 300 bytes on average and in some records several kilobytes.
    private static func appendFurtherFields(
        ofEdition book: GeneratedBook, _ draw: Int, to line: inout [UInt8]
    ) {
        line.append("\"source_records\": [\"marc:marc_loc_updates/v38.i")
        line.append(number: draw % 53)
        line.append(".records.utf8:")
        line.append(number: draw)
        line.append(":1211\", \"promise:bwb_daily_pallets_2021-04-13\"], \"ocaid\": \"")
        line.append(nameOf: draw, syllables: 4)
        line.append("00unse\", ")
        if draw % 4 == 0 {
            line.append(
                "\"notes\": {\"type\": \"/type/text\", \"value\": \"Includes bibliographical references (p. ")
            line.append(number: book.pages)
            line.append(") and index.\\r\\n\\u0000Translated from the original.\"}, ")
        }
        guard draw % 50 == 0 else { return }
        line.append("\"table_of_contents\": [")
        for chapter in 0...draw % 60 {
            line.append(chapter == 0 ? "{\"title\": \"" : ", {\"title\": \"")
            line.append(titleOf: draw + chapter)
            line.append("\", \"level\": 0, \"type\": {\"key\": \"/type/toc_item\"}}")
        }
        line.append("], ")
    }

    private static func begin(
        _ start: StaticString, _ number: Int, _ letter: StaticString, _ version: Version,
        to line: inout [UInt8]
    ) {
        line.append(start)
        line.append(number: 1 + number)
        line.append(letter)
        line.append("\t")
        line.append(number: version.revision)
        line.append("\t")
        line.append(time)
        line.append("\t")
    }

    private static func end(
        _ type: StaticString, _ folder: StaticString, _ number: Int, _ letter: StaticString,
        _ version: Version, to line: inout [UInt8]
    ) {
        line.append("\"key\": \"/")
        line.append(folder)
        line.append("/OL")
        line.append(number: 1 + number)
        line.append(letter)
        line.append("\", \"type\": {\"key\": \"/type/")
        line.append(type)
        line.append("\"}, \"latest_revision\": ")
        line.append(number: version.revision)
        line.append(", \"revision\": ")
        line.append(number: version.revision)
        line.append(", ")
        line.append(
            "\"created\": {\"type\": \"/type/datetime\", \"value\": \"2008-04-30T09:38:13.731961\"}, ")
        line.append("\"last_modified\": {\"type\": \"/type/datetime\", \"value\": \"")
        line.append(time)
        line.append("\"}}\n")
    }
}
