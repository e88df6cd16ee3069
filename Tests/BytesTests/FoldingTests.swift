import TestSupport
import Testing

@testable import Bytes

@Suite struct FoldingTests {
    /// Folds with Unicode's tables only.
    private static func byTables(_ text: String) -> String {
        var out: [UInt8] = []
        Folding.foldUnicode(text, into: &out)
        return String(decoding: out, as: UTF8.self)
    }

    @Test(arguments: [
        ("Ümläut & Söhne!", "umlaut sohne"), ("Don’t Panic", "dont panic"), ("Straße—Łódź", "strasse lodz"),
        ("  Æsop’s\tFables…", "aesops fables"), ("Ŀ", "l"), ("ŀa", "l a"), ("Война и мир", "воина и мир"),
        ("×", ""), ("a×b", "a b"), ("", ""), ("’", ""), ("Ĳssel", "ijssel"), ("ﬁn", "fin"),
    ])
    func `texts fold as documented`(text: String, folded: String) {
        #expect(Folding.fold(text) == folded)
    }

    @Test func `each scalar of the fast table folds as Unicode's tables do, alone and among others`() {
        for code in (0x01...0x24F as ClosedRange<UInt32>).map({ $0 }) + Array(0x2000...0x206F) {
            guard let scalar = Unicode.Scalar(code) else { continue }
            for text in ["\(Character(scalar))", "a\(Character(scalar))", "x \(Character(scalar))b"] {
                #expect(Folding.fold(text) == Self.byTables(text), "U+\(String(code, radix: 16))")
            }
        }
    }

    @Test func `random mixtures fold as Unicode's tables do`() {
        var random = SeededGenerator(seed: 11)
        let alphabet = Array("aZ09 '-.,éßÆŁıİĳŉŀ×÷’‘“”–…\u{301}\u{200B}жΣς日ﬁ²½".unicodeScalars)
        for _ in 0..<5_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                text.unicodeScalars.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
            }
            #expect(Folding.fold(text) == Self.byTables(text), "\(text.debugDescription)")
        }
    }

    @Test func `invalid UTF-8 folds like the text it is decoded to`() {
        let broken: [[UInt8]] = [
            [0xC3], [0x61, 0xC3], [0xC3, 0x61], [0xE2, 0x80], [0xE2, 0x80, 0x61], [0x80], [0xFF, 0x62],
            [0xC5, 0xC5, 0x81],
        ]
        for bytes in broken {
            var out: [UInt8] = []
            bytes.withUnsafeBytes { Folding.fold($0, into: &out) }
            let shown = String(decoding: bytes, as: UTF8.self)
            #expect(String(decoding: out, as: UTF8.self) == Self.byTables(shown), "\(bytes)")
        }
    }
}

@Suite struct RangePartitioningTests {
    @Test func `the partitioning index is found wherever it is`() {
        for count in 0...33 {
            for border in 0...count {
                #expect((0..<count).partitioningIndex { $0 >= border } == border)
            }
        }
    }

    @Test func `a range may start anywhere and be as long as an integer allows`() {
        #expect((5..<9).partitioningIndex { $0 >= 7 } == 7)
        #expect((5..<9).partitioningIndex { _ in true } == 5)
        #expect((5..<9).partitioningIndex { _ in false } == 9)
        #expect((0..<Int.max).partitioningIndex { $0 >= Int.max - 3 } == Int.max - 3)
    }
}
