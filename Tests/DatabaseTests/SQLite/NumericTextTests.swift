import System
import TestSupport
import Testing

@testable import Database

@Suite struct NumericTextTests {
    private static let ugly = [
        "", "0", "00", "007", "1", "412", "-1", "+1", " 1", "1 ", "1.", ".5", "1.0", "4.12", "3.999999",
        "1..2",
        "1.2.3", "1e3", "0x10", "999999999999999", "1234567890123456", "99999999999999.9", "0.000000000001",
        "９", "NaN", "inf", "1,5",
    ]

    /// The expected type and value are those of SQLite's own conversion of text in a numeric column.
    @Test func `a numeric text is stored like the same text converted by SQLite`() throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(folder.file("numbers.sqlite"), .create)
        try connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, i INTEGER, r REAL)")
        let insert = try connection.prepare("INSERT INTO t(i, r) VALUES (?1, ?2)")
        let compare = try connection.prepare(
            """
            SELECT a.i IS b.i AND typeof(a.i) = typeof(b.i) AND a.r IS b.r AND typeof(a.r) = typeof(b.r)
            FROM t a, t b WHERE a.id = 1 AND b.id = 2
            """)
        var random = SeededGenerator(seed: 4_711)
        let seeded = (0..<500).map { _ in
            String(Int.random(in: 0...99_999, using: &random)) + (Bool.random(using: &random) ? "." : "")
                + String(Int.random(in: 0...9_999, using: &random))
        }
        for text in Self.ugly + seeded {
            try connection.execute("DELETE FROM t")
            try insert.run(text.isEmpty ? nil : text, text.isEmpty ? nil : text)
            try Array(text.utf8).withUnsafeBytes { (bytes) -> Result<Void, ETLError> in
                insert.bind(1, numberInPlace: bytes)
                insert.bind(2, numberInPlace: bytes)
                return Result { () throws(ETLError) in try insert.run() }
            }.get()
            #expect(try compare.next() && compare.integer(0) == 1, "\(text)")
            compare.reset()
        }
    }

    @Test func `only plain numbers are numeric`() {
        func number(_ text: String) -> NumericText? { Array(text.utf8).withUnsafeBytes { NumericText($0) } }
        #expect(number("412") == .integer(412))
        #expect(number("4.12") == .decimal(4.12))
        for text in ["", "-1", "1.", ".5", "1e3", "1234567890123456", " 1", "１"] {
            #expect(number(text) == nil)
        }
    }
}
