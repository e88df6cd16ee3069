import Testing

@testable import Books

@Suite struct PageCountTests {
    @Test(arguments: [
        ("350 p.", 350), ("350 pages", 350), ("1,200", 1200), ("1.200 Seiten", 1200), ("1,200 pp", 1200),
        ("xii, 340 p. : ill. ; 24 cm", 340), ("350 S.", 350), ("412 páginas", 412), ("245 sidor", 245),
    ])
    func `the pages of a text are read`(text: String, pages: Int) {
        #expect(Self.pages(text) == pages)
    }

    @Test(arguments: [
        "", "p.", "3 v.", "1 audio disc", "1,20", "0,200", "1,2000", "1234,567", "12 hours", "1,200 km",
        "9999999 p.", "0 p.", "350.000", "412.000",
    ])
    func `other text has none`(text: String) {
        #expect(Self.pages(text) == nil)
    }

    private static func pages(_ text: String) -> Int? {
        Array(text.utf8).withUnsafeBytes { PageCount.read($0) }
    }
}
