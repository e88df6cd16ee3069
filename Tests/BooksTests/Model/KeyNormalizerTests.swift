import TestSupport
import Testing

@testable import Books
@testable import Bytes

@Suite struct KeyNormalizerTests {
    @Test(arguments: [
        ("Dune", "dune"), ("Résumé", "resume"), ("Ümläut & Söhne!", "umlaut sohne"),
        ("Don’t Panic", "dont panic"),
        ("Book 1/2", "book 1 2"), ("Book 1 2", "book 1 2"), ("Ranma ½", "ranma 1 2"), ("Go!", "go"),
        ("S.", "s"),
        ("7½", "71 2"), ("C−", "c"), ("R.U.R.", "r u r"), ("Go®", "go"), ("三体", "三体"), ("1984", "1984"),
        ("Vitamin B+C and You", "vitamin b c and you"), ("Catch #22 Again", "catch 22 again"),
        ("Tom's+Jerry's", "toms jerrys"), ("", ""), ("Frank Herbert", "frank herbert"),
    ]) func `an ordinary title is only folded`(title: String, form: String) {
        #expect(KeyNormalizer.fold(title) == form)
        #expect(KeyNormalizer.fold(title) == Folding.fold(title))
    }

    @Test(arguments: [
        ("C++", "c ++"), ("c#", "c #"), ("A+", "a +"), ("Q&A", "q a &"), ("Q & A", "q a &"),
        ("100%", "100 %"),
        ("$20", "20 $"), ("I ❤️ U", "i u ❤"), ("C🐉", "c 🐉"), ("Ｃ＋＋", "c ++"),
    ]) func `a very short title keeps its symbols`(title: String, form: String) {
        #expect(KeyNormalizer.fold(title) == form)
    }

    @Test(arguments: [
        ("C++ Primer Plus", "c primer plus ++"), ("Programming in C#", "programming in c #"),
        ("F#, and C++.", "f and c #++"), ("The A+ Guide", "the a guide +"),
    ]) func `a longer title keeps the symbols after one-letter words`(title: String, form: String) {
        #expect(KeyNormalizer.fold(title) == form)
    }

    @Test(arguments: [
        ("???", "???"), (" ! ! ! ", "!!!"), ("！！！", "!!!"), ("…", "..."), ("🐉", "🐉"), ("❤️", "❤"),
        ("+/-", "+/-"),
        ("+ / -", "+/-"), ("||", "¦¦"), ("$", "$"), ("\u{200B}", ""), ("  ", ""),
    ]) func `a title that folds to nothing is kept as text`(title: String, form: String) {
        #expect(KeyNormalizer.fold(title) == form)
    }
}

@Suite struct PersonKeyTests {
    private static func key(_ name: String) -> String {
        String(decoding: Array(name.utf8).withUnsafeBytes { PersonKey.fold($0) }, as: UTF8.self)
    }

    /// A simple reference implementation.
    private static func plain(_ name: String) -> String {
        var name = name
        let parts = name.split(separator: ",", omittingEmptySubsequences: false).map { Folding.fold($0) }
        if parts.count == 2 {
            let suffixes = [
                "jr", "sr", "ii", "iii", "iv", "phd", "ph d", "md", "m d", "esq", "inc", "ltd", "llc",
            ]
            let isTurned = !suffixes.contains(parts[1])
            name = isTurned ? "\(parts[1]) \(parts[0])" : "\(parts[0]) \(parts[1])"
        }
        var key = ""
        var last = ""
        for word in Folding.fold(name).split(separator: " ").map(String.init) {
            let areInitials = last.utf8.count == 1 && word.utf8.count == 1
            key += key.isEmpty || areInitials ? word : " \(word)"
            last = word
        }
        return key
    }

    @Test(arguments: [
        ("J. R. R. Tolkien", "jrr tolkien"), ("Tolkien, J. R. R.", "jrr tolkien"), ("A", "a"), ("A B", "ab"),
        ("Walter M. Miller, Jr.", "walter m miller jr"), (", Jr.", "jr"), ("King,", "king"), (",", ""),
        ("", ""), ("a, b, c", "abc"), ("!?", ""), ("Smith, J", "j smith"), ("Xi, X", "x xi"),
    ]) func `a name's key is in reading order with its initials joined`(name: String, key: String) {
        #expect(Self.key(name) == key)
        #expect(Self.plain(name) == key)
    }

    @Test func `random names have the key of the reference implementation, whatever the buffer held`() {
        var random = SeededGenerator(seed: 31)
        let pieces = [
            "a", "B", "é", "j.", " ", " ", ".", ",", ", ", "Jr", "Ph.D.", "Inc", "李", "Ж ", "Tolkien ", "’",
            "ß",
        ]
        var buffer: [UInt8] = []
        for _ in 0..<5_000 {
            let name = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            Array(name.utf8).withUnsafeBytes { PersonKey.fold($0, into: &buffer) }
            #expect(String(decoding: buffer, as: UTF8.self) == Self.plain(name), "\(name.debugDescription)")
        }
    }
}
