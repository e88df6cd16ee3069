import Testing

@testable import etl

@Suite struct NamedCommandsTests {
    @Test(arguments: [
        (
            "See `etl errors j`; `etl resume j` goes on.",
            "See `etl errors j --db s.sqlite`; `etl resume j --db s.sqlite` goes on."
        ),
        (
            "`etl catalog build --out c.sqlite DUMPS…` makes one.",
            "`etl catalog build --out c.sqlite DUMPS…` makes one."
        ),
        ("`etl jobs --db o.sqlite` lists them.", "`etl jobs --db o.sqlite` lists them."),
        (
            "etl resume is a command, `resume` is a word, `etl` too, `etl resumes` is none.",
            "etl resume is a command, `resume` is a word, `etl` too, `etl resumes` is none."
        ),
        ("An open ` is nothing, `etl ", "An open ` is nothing, `etl "),
        ("", ""),
    ])
    func `a command that takes the store gets it`(text: String, named: String) {
        #expect(NamedCommands.of(store: "s.sqlite", in: text) == named)
    }

    @Test func `the usual store is not named`() {
        let text = "`etl resume j` goes on."
        #expect(NamedCommands.of(store: "library.sqlite", in: text) == text)
    }
}
