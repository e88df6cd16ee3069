import Testing

@testable import CommandLineTool

@Suite struct DefaultPathsTests {
    @Test(arguments: [
        ("library.sqlite", ""), ("/a/ours.sqlite", " --db /a/ours.sqlite"),
        ("my books.sqlite", " --db 'my books.sqlite'"), ("é$x.sqlite", " --db 'é$x.sqlite'"),
        ("Ann's.sqlite", " --db 'Ann'\\''s.sqlite'"),
    ])
    func `a command names the store, quoted for a shell, unless it is the default`(
        store: String, option: String
    ) {
        #expect(DefaultPaths.option(store: store) == option)
    }
}
