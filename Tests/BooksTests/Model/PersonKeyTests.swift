import TestSupport
import Testing

@testable import Books
@testable import Bytes

@Suite struct PersonKeyTests {
    private static func key(_ name: String) -> String {
        String(decoding: Array(name.utf8).withUnsafeBytes { PersonKey.fold($0) }, as: UTF8.self)
    }

    /// The same made of words.
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
    ]) func `a name's key is in reading order with its initials drawn together`(name: String, key: String) {
        #expect(Self.key(name) == key)
        #expect(Self.plain(name) == key)
    }

    @Test func `any mixture has the key of the plain way, whatever the buffer held before`() {
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
