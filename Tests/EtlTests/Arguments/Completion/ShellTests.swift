import Testing

@testable import CommandLineTool

@Suite struct ShellTests {
    @Test(arguments: [
        ("a.csv", "a.csv"), ("exports/ü-1_2.csv", "exports/ü-1_2.csv"),
        ("title=T,author=A", "title=T,author=A"), ("title=#1", "title=#1"), ("#1", "'#1'"),
        ("title=My Book,author=#2", "'title=My Book,author=#2'"),
        ("", "''"), ("my file.csv", "'my file.csv'"), (";", "';'"), ("it's", "'it'\\''s'"),
        ("$(x)", "'$(x)'"),
        ("*", "'*'"),
    ])
    func `a word is quoted so that a shell passes it unchanged`(word: String, typed: String) {
        #expect(ShellWord.of(word) == typed)
    }
}
