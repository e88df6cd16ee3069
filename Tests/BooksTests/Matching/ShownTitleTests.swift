import Testing

@testable import Books

@Suite struct ShownTitleTests {
    @Test(
        arguments: [
            ("The Memory Police", "密やかな結晶", "The Memory Police", "密やかな結晶"),
            ("Invisible Cities", "Le città invisibili", "Invisible Cities", "Le città invisibili"),
            ("1984", "Nineteen Eighty-Four", "1984", nil),
            ("Emma (Penguin Classics)", "Emma", "Emma (Penguin Classics)", nil),
            ("Voices: A Novel", "Voices", "Voices: A Novel", nil),
            ("Dune", "Dune", "Dune", nil), (nil, "Dune", "Dune", nil), ("", "Dune", "Dune", nil),
            ("Dune", nil, "Dune", nil), ("Dune", "", "Dune", nil), (nil, nil, "", nil),
        ] as [(String?, String?, String, String?)])
    func `a book has the title of its edition, and the work's beside it if that is another one`(
        edition: String?, work: String?, text: String, original: String?
    ) {
        let title = ShownTitle(edition: edition, work: work)
        #expect(title.text == text)
        #expect(title.original == original)
    }
}
