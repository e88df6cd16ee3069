/// A library of books about the topics of ``TinyModel``.
package enum TopicLibrary {
    package static let header =
        "Book Id,Title,Author,ISBN13,My Rating,Date Added,Exclusive Shelf,Original Publication Year"

    /// Ten books: three of the first topic, of which one is a part of another, and others.
    package static let rows = [
        "1,The Dragon and the Wizard,Ann Aster,9780000000019,4,2020/01/01,read,1937",
        "2,\"The Dragon and the Wizard: Part Two, a Sword\",Ann Aster,9780000000026,4,2020/01/02,read,1938",
        "3,Magic of the Elf Sword,Ben Birch,9780000000033,4,2020/01/03,read,1940",
        "4,Fantasy Wizard,Cleo Cedar,9780000000040,4,2020/01/04,read,2001",
        "5,Murder and the Detective,Dan Dill,9780000000057,4,2020/01/05,read,1934",
        "6,A Mystery Crime,Dan Dill,9780000000064,4,2020/01/06,read,1936",
        "7,Space Robot,Eve Elm,9780000000071,4,2020/01/07,read,1965",
        "8,Planet of the Future,Fay Fern,9780000000088,4,2020/01/08,read,1968",
        "9,Quiet Grief by the Sea of Japan,Gus Grass,9780000000095,4,2020/01/09,read,1994",
        "10,War of the King,Hal Hazel,9780000000101,4,2020/01/10,read,1950",
    ]

    /// The library as a Goodreads export.
    package static func export(_ rows: [String] = rows) -> String {
        ([header] + rows).joined(separator: "\n") + "\n"
    }
}
