import Testing

@testable import Stages

@Suite struct OpenLibraryDocTests {
    @Test(
        arguments: [
            ("1965", 1965), ("-750", -750), ("-2147483648", nil), ("2147483647", nil),
            ("99999999999999999999", nil),
            ("\"1965\"", 1965), ("null", nil),
        ] as [(String, Int32?)])
    func `a year is one that a book may have appeared in`(json: String, year: Int32?) throws {
        let body = #"{"docs":[{"key":"/works/OL1W","title":"T","first_publish_year":\#(json)}]}"#
        let works = OpenLibraryDoc.works(in: Array(body.utf8))
        #expect(works == nil || works?.map(\.year) == [year])
        if year != nil { #expect(works?.map(\.record) == ["OL1W"]) }
    }
}
