/// Goodreads exports, as text.
enum GoodreadsFixture {
    static let header31 =
        "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,"
        + "Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,"
        + "Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Recommended For,"
        + "Recommended By,Owned Copies,Original Purchase Date,Original Purchase Location,Condition,"
        + "Condition Description,BCID"
    static let header24 =
        "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,"
        + "Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,"
        + "Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies"

    /// A record of the 24 column dialect.
    static func row(
        _ id: Int, title: String = "A Title", author: String = "An Author", additional: String = "",
        binding: String = "Paperback", year: String = "1999", read: String = "2020/10/25",
        added: String = "2020/10/21",
        review: String = ""
    ) -> String {
        "\(id),\"\(title)\",\(author),\"Author, An\",\"\(additional)\",\"=\"\"0306406152\"\"\",\"=\"\"9780306406157\"\"\",4,"
            + "4.20,Press,\(binding),300,2001,\(year),\(read),\(added),to-read,to-read (#1),to-read,\"\(review)\",,,1,0"
    }

    /// A library of the 24 column dialect with all that makes resuming hard: records of many lengths, quoted
    /// line ends, blank lines, damage, a record over the limits.
    static func library(records: Int) -> String {
        var text = header24 + "\n"
        for id in 1...records {
            switch id % 11 {
            case 3:
                text += row(
                    id, title: "Über \(id) (Ein Zyklus, #\(id))", review: "first\nsecond \"\"quoted\"\" line")
            case 5: text += "\n" + row(id, binding: "Kindle Edition", read: "########")
            case 7: text += row(id, additional: "B Name, C Name, Jr.") + ",,extra"
            case 9: text += row(id, review: String(repeating: "x", count: 3_000))
            case 10: text += "\(id),Short"
            default: text += row(id)
            }
            text += id % 4 == 0 ? "\r\n" : "\n"
        }
        return text
    }
}
