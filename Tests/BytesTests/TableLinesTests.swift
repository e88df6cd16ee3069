import Testing

@testable import Bytes

@Suite struct TableLinesTests {
    private static func lines(_ text: String) -> [[String]] {
        Array(text.utf8).withUnsafeBytes { bytes in
            TableLines(bytes).map { line in
                (0..<4).map { String(decoding: line.field($0), as: UTF8.self) }
            }
        }
    }

    @Test func `comments and empty lines are skipped, the last line needs no line end`() {
        #expect(
            Self.lines("# a\tb\n\nx\ty\n\n#\nz") == [["x", "y", "", ""], ["z", "", "", ""]])
        #expect(Self.lines("").isEmpty)
        #expect(Self.lines("\n\n#").isEmpty)
    }

    @Test func `fields are trimmed, and a missing field is empty`() {
        #expect(Self.lines("\t a b \t\tc") == [["", "a b", "", "c"]])
    }

    @Test func `a field can be a list`() {
        Array("x\t a; b ;;c".utf8).withUnsafeBytes { bytes in
            let items = TableLines(bytes).map { line in
                line.items(1).map { String(decoding: $0, as: UTF8.self) }
            }
            #expect(items == [["a", "b", "", "c"]])
        }
    }

    @Test(
        arguments: [
            ("0", 0), ("42", 42), ("999999999", 999_999_999), ("", nil), ("4294967296", nil), ("-1", nil),
            ("1a", nil), ("٣", nil),
        ] as [(String, UInt32?)])
    func `a number has one to nine digits`(text: String, number: UInt32?) {
        #expect(Array(text.utf8).withUnsafeBytes { TableLine.number($0) } == number)
    }
}
