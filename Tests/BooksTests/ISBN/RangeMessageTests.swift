import TestSupport
import Testing

@testable import Books
@testable import Syntax

@Suite struct RangeMessageTests {
    static let dtd = """
        <!DOCTYPE ISBNRangeMessage [
        <!ELEMENT ISBNRangeMessage (EAN.UCCPrefixes, RegistrationGroups)>
        <!ELEMENT Prefix (#PCDATA)>
        ]>
        """

    static func message(
        dtd: String = dtd, prefix: String = "978-0", range: String = "0000000-1999999", length: String = "2"
    ) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="utf-8"?>
            \(dtd)
            <ISBNRangeMessage><EAN.UCCPrefixes>
            <EAN.UCC><Prefix>978</Prefix><Agency>a &amp; b</Agency><Rules>
              <Rule><Range>0000000-5999999</Range><Length>1</Length></Rule>
              <Rule><Range>8000000-9499999</Range><Length>2</Length></Rule></Rules></EAN.UCC>
            </EAN.UCCPrefixes><RegistrationGroups>
            <Group><Prefix>\(prefix)</Prefix><Rules>
              <Rule><Range>\(range)</Range><Length>\(length)</Length></Rule></Rules></Group>
            <Group><Prefix>978-80</Prefix><Rules>
              <Rule><Range>0000000-9999999</Range><Length>3</Length></Rule></Rules></Group>
            </RegistrationGroups></ISBNRangeMessage>
            """.utf8)
    }

    static func read(_ bytes: [UInt8]) throws(XMLFault) -> ISBNRangeTable {
        try ISBNRangeTable(message: bytes)
    }

    static func fault(_ bytes: [UInt8]) -> XMLFault? {
        do {
            _ = try read(bytes)
            return nil
        } catch { return error }
    }

    @Test func `a range message with a DTD of elements is read`() throws {
        let table = try Self.read(Self.message())
        #expect(table.count == 3)
        let known = try #require(ISBN("9780007442911"))
        #expect(table.hyphenated(known) == "978-0-00-744291-1")
        // Between and after the ranges nothing is assigned.
        #expect(table.hyphenated(try #require(ISBN("9780439023481"))) == nil)
        #expect(table.hyphenated(try #require(ISBN("9787301102992"))) == nil)
    }

    @Test(arguments: [
        ("1999999-0000000", "2"), ("0-1", "2"), ("", "2"), ("0000000-1999999", "9"), ("0000000-1999999", "x"),
        ("aaaaaaa-bbbbbbb", "2"),
    ])
    func `a malformed range is rejected`(range: String, length: String) {
        #expect(Self.fault(Self.message(range: range, length: length)) != nil)
    }

    @Test func `unordered ranges are rejected`() {
        let text = String(decoding: Self.message(), as: UTF8.self)
            .replacing("<Range>8000000-9499999</Range>", with: "<Range>0000000-0999999</Range>")
        #expect(Self.fault(Array(text.utf8)) != nil)
    }

    @Test func `other XML and other text are rejected`() {
        #expect(Self.fault(Array("<records/>".utf8)) != nil)
        #expect(Self.fault(Array("978\t0:1".utf8)) != nil)
        #expect(Self.fault([]) != nil)
    }

    @Test func `a truncated message is rejected`() {
        let whole = Self.message()
        for count in stride(from: 0, to: whole.count - 1, by: 7) {
            #expect(Self.fault(Array(whole.prefix(count))) != nil, "\(count)")
        }
    }

    @Test func `a file in the form of the ISBN agency's is read`() throws {
        let table = try Self.read(TestFiles.bytes("isbn/etl_RangeMessage.xml"))
        #expect(table.count == 4)
        #expect(table.hyphenated(try #require(ISBN("9783161484100"))) == "978-3-16-148410-0")
        #expect(table.hyphenated(try #require(ISBN("9798850000004"))) == "979-8-8500-0000-4")
        // Neither this range nor this group is in the file.
        #expect(table.hyphenated(try #require(ISBN("9783030000004"))) == nil)
        #expect(table.hyphenated(try #require(ISBN("9789999901017"))) == nil)
    }

    @Test(.enabled(if: TestFiles.hasShared, Comment(rawValue: TestFiles.needsShared)))
    func `the ISBN agency's own file is read`() throws {
        let table = try Self.read(TestFiles.bytes("isbn/RangeMessage_2017-12.xml"))
        #expect(table.count == 236)
        #expect(table.hyphenated(try #require(ISBN("9783161484100"))) == "978-3-16-148410-0")
        // Most ranges of 2017 are still in use: the two sources confirm each other.
        var random = SeededGenerator(seed: 17)
        var same = 0
        var different = 0
        for _ in 0..<4_000 {
            let isbn = ISBN.random(using: &random)
            guard let old = table.hyphenated(isbn) else { continue }
            if old == ISBNRangeTable.builtIn.hyphenated(isbn) { same += 1 } else { different += 1 }
        }
        #expect(same > 20 * different, "\(same) same, \(different) different")
    }

    @Test func `any numbers in a range message are used or refused`() {
        var read = 0
        for text in HostileNumbers.texts.prefix(3_000) where !text.contains(where: "<&\0".contains) {
            for message in [
                Self.message(prefix: text), Self.message(prefix: "978-\(text)"), Self.message(range: text),
                Self.message(range: "0000000-\(text)"), Self.message(length: text),
            ] {
                guard let table = try? Self.read(message) else { continue }
                read += 1
                _ = ISBNAnswer(.hyphenate, "9780306406157", ranges: table)
            }
        }
        #expect(read > 100)
    }
}
