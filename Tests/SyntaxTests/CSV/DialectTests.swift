import Syntax
import Testing

@Suite struct DialectTests {
    private func sniff(_ head: String) -> DialectGuess { Dialect.sniff(head: Array(head.utf8)) }

    @Test func `the delimiter is the one that gives records of equal length`() {
        let tab = Dialect.tab.delimiter
        for (head, delimiter, columns) in [
            ("a,b,c\n1,2,3\n4,5,6\n", UInt8(ascii: ","), 3),
            ("a\tb\n\"x, y\"\tz\nLe Guin, U.\tb\n", tab, 2),
            ("name;price\nx;1,50\ny;2,75\nz;9,99\n", UInt8(ascii: ";"), 2),
            ("a|b|c\n1|2,5|3\n", UInt8(ascii: "|"), 3),
            ("city:region\nAcme:MA\nX:Y\n", UInt8(ascii: ":"), 2),
            ("time,what,where\n12:30,\"a;b;c\",d\n09:15,e,f\n", UInt8(ascii: ","), 3),
            // One ragged record does not matter, nor does a title line above the header.
            ("a,b,c\n1,2,3\n4,5\n7,8,9\n", UInt8(ascii: ","), 3),
            ("My library: all of it\na,b,c\n1,2,3\n4,5,6\n", UInt8(ascii: ","), 3),
        ] {
            let guess = sniff(head)
            #expect(guess.dialect.delimiter == delimiter, "\(head.debugDescription): \(guess.evidence)")
            #expect(guess.columns == columns)
        }
    }

    @Test func `a head that ends within a record is not inconsistent`() {
        let guess = sniff("a,b,c\n1,2,3\n4,\"5")
        #expect(guess.dialect == .comma)
        #expect(guess.consistency == 1)
        #expect(guess.evidence == "Comma: 2 of the first 2 rows have 3 cells.")
    }

    @Test func `literal quotes are recognized as such`() {
        let guess = sniff("title\tauthor\n\"Hello\" she said\tA\n\"Bye\" he said\tB\nx\ty\n")
        #expect(guess.dialect == Dialect(delimiter: UInt8(ascii: "\t"), quote: nil))
    }

    @Test func `without a consistent delimiter the comma is assumed`() {
        for head in ["", "\n\n", "one\ntwo\nthree\n", "\"", "\u{0}"] {
            let guess = sniff(head)
            #expect(guess.dialect == .comma)
            #expect(guess.columns == 1)
        }
    }

    @Test func `line ends are detected`() {
        #expect(sniff("a,b").newline == .none)
        #expect(sniff("a,b\nc,\"\r\n\"\n").newline == .lineFeed)
        #expect(sniff("a,b\r\nc,d\r\n").newline == .carriageReturnLineFeed)
        #expect(sniff("a,b\rc,d\r").newline == .carriageReturn)
        #expect(sniff("a,b\rc,d\n").newline == .mixed)
    }
}
