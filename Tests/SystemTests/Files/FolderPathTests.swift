import Testing

@testable import System

@Suite struct FolderPathTests {
    @Test(arguments: [
        ("a.csv", ".", "a.csv"), ("x", ".", "x"), ("/x", "/", "x"), ("/", "/", ""), ("a/b/c", "a/b", "c"),
        ("/a/b", "/a", "b"), ("a/", ".", "a"), ("../a", "..", "a"), ("", ".", ""),
        // For Swift, the slash before a combining mark is another character.
        ("/a/\u{301}b", "/a", "\u{301}b"), ("/\u{301}a/b", "/\u{301}a", "b"),
    ])
    func `a path has a folder and a name`(path: String, folder: String, name: String) {
        #expect(Array(FolderPath.of(path).utf8) == Array(folder.utf8))
        #expect(Array(FolderPath.lastName(path).utf8) == Array(name.utf8))
    }
}
