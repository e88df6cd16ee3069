import Testing

@testable import etl

@Suite struct DefaultPathsTests {
    @Test(arguments: [
        ("library.sqlite", ""), ("/a/ours.sqlite", " --db /a/ours.sqlite"),
        ("my books.sqlite", " --db 'my books.sqlite'"), ("é$x.sqlite", " --db 'é$x.sqlite'"),
        ("Ann's.sqlite", " --db 'Ann'\\''s.sqlite'"),
    ])
    func `a command about a store names it as a shell takes it`(store: String, option: String) {
        #expect(DefaultPaths.option(store: store) == option)
    }
}
