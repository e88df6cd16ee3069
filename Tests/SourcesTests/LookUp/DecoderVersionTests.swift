import Books
import TestSupport
import Testing

@testable import Services
@testable import Sources
@testable import System

/// Stores keep decoded answers for a week: a changed decoder needs a new version.
@Suite struct DecoderVersionTests {
    private static let words: [(service: String, kind: ServiceKey.Kind, words: String)] = [
        (
            "openlibrary", .isbn,
            #"{"key":"/books/OL1M","title":"A Lighthouse: of salt","isbn_13":["9780306406157"],"works":[{"key":"/works/OL2W"}],"authors":[{"key":"/authors/OL3A"}],"publishers":["Winter Press"],"publish_date":"May 1984","number_of_pages":210,"physical_format":"Hardcover","languages":[{"key":"/languages/eng"}],"covers":[7]}"#
        ),
        (
            "openlibrary", .work,
            #"{"key":"/works/OL2W","title":"A Lighthouse","subtitle":"of salt","description":{"value":"Long."},"authors":[{"author":{"key":"/authors/OL3A"}}],"subjects":["Fiction"],"first_publish_date":"1983","covers":[8]}"#
        ),
        (
            "openlibrary", .author,
            #"{"key":"/authors/OL3A","name":"Ada Marlow","alternate_names":["A. Marlow"],"birth_date":"2 May 1950","remote_ids":{"wikidata":"Q42","viaf":"12"}}"#
        ),
        (
            "openlibrary", .work,
            #"{"key":"/works/OL4W","location":"/works/OL2W","type":{"key":"/type/redirect"}}"#
        ),
        (
            "google-books", .isbn,
            #"{"id":"abc","volumeInfo":{"title":"A Lighthouse","subtitle":"of salt","authors":["Marlow, Ada"],"publisher":"Winter Press","publishedDate":"1984-05","description":"<b>Long</b> &amp; wide","industryIdentifiers":[{"type":"ISBN_13","identifier":"9780306406157"}],"pageCount":210,"categories":["Fiction"],"language":"en","averageRating":4.5,"ratingsCount":3,"imageLinks":{"thumbnail":"http://books.test/c?id=abc&edge=curl"}},"saleInfo":{"isEbook":true}}"#
        ),
        (
            "isbndb", .isbn,
            #"{"title":"A Lighthouse: of salt","isbn13":"9780306406157","isbn10":"0306406152","publisher":"Winter Press","date_published":"1984-05-02T00:00:00","pages":210,"binding":"Hardcover","language":"en_US","image":"https://images.test/1.jpg","synopsis":"Long.","authors":["Marlow","Ada"],"subjects":["Fiction"]}"#
        ),
        (
            "wikidata", .item,
            #"{"type":"item","id":"Q42","labels":{"en":{"language":"en","value":"Ada Marlow"}},"aliases":{"en":[{"language":"en","value":"A. Marlow"}]},"claims":{"P800":[{"rank":"normal","mainsnak":{"snaktype":"value","datavalue":{"type":"wikibase-entityid","value":{"id":"Q7"}}}}],"P648":[{"rank":"normal","mainsnak":{"snaktype":"value","datavalue":{"type":"string","value":"OL3A"}}}]}}"#
        ), ("wikidata", .nameItems, #"[{"id":"Q42"},{"id":"Q9"}]"#),
    ]

    @Test(arguments: [
        ("openlibrary", 2, "ca3919d87193db7a"), ("google-books", 2, "fec8d64f02a3f9f7"),
        ("isbndb", 2, "26bbd764b13ca283"), ("wikidata", 1, "a1def62fc632dd8c"),
    ])
    func `a decoder that changes raises the service's decoder version`(
        name: String, version: Int, expected: String
    ) throws {
        let service = try #require(ServiceDefinition.all.map(\.reader).first { $0.name == name })
        var digest = SHA256()
        for (_, kind, words) in Self.words.filter({ $0.service == name }) {
            let decoded = try #require(
                service.decoded(of: Array(words.utf8), kind, fetchedAt: 1_750_000_000_000))
            #expect(!decoded.isEmpty, "\(kind)")
            digest.update(decoded)
        }
        #expect(service.decoderVersion == version)
        #expect(String(digest.hexDigest.prefix(16)) == expected)
    }
}
