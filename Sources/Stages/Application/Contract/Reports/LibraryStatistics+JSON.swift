import Books
package import Syntax

/// The output of `etl stats --json`.
extension LibraryStatistics: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("library", library)
            out.field("books", books)
            out.field("works", works)
            out.field("authors", authors)
            out.field("read", read)
            out.field("pages", pages)
            out.field("rating", rating)
            out.field("statuses", statuses)
            out.field("years", years)
            out.field("readWithoutDate", readWithoutDate)
            out.field("ratings", ratings)
            out.field("comparison") { out in
                out.field("books", compared)
                out.field("rating", comparedRating)
                out.field("averageRating", comparedAverage)
                out.field("above", above)
                out.field("below", below)
            }
            out.field("genres", genres)
            out.field("languages", languages)
            out.field("decades", decades)
            out.field("topAuthors", topAuthors)
            out.field("genders", genders)
            out.field("regions", regions)
            out.field("nationalities", nationalities)
            out.field("series", series)
            out.field("rereads", rereads)
            out.field("waits", waits)
        }
    }
}

extension LibraryStatistics.Group: JSONWritable {
    /// What is not known has the name null.
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.key("name")
            if name.isEmpty { out.null() } else { out.string(name) }
            out.field("books", books)
            out.field("read", read)
            out.field("rating", rating)
        }
    }
}

extension LibraryStatistics.Year: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("year", year)
            out.field("books", books)
            out.field("pages", pages)
            out.field("withoutPages", withoutPages)
            out.field("rating", rating)
        }
    }
}

extension LibraryStatistics.Stars: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("stars", stars)
            out.field("books", books)
        }
    }
}

extension LibraryStatistics.Book: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("title", title)
            out.field("author", author.isEmpty ? nil : author)
            out.field("rating", rating)
            out.field("averageRating", averageRating)
            out.field("times", times)
            out.field("dateAdded", dateAdded)
            out.field("days", days)
        }
    }
}

extension LibraryStatistics.Series: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("name", name)
            out.field("have", have)
            out.field("missing", missing)
        }
    }
}
