import Books
import Bytes
import Formats
import Syntax
import System
import TestSupport
import Testing

@Suite struct MARCTests {
    private static let hyperion = MARCFixture.record(MARCFixture.hyperion)

    private func stream(_ bytes: PiecedBytes, _ start: Position = .start, _ block: Int = 1 << 16)
        -> MARCStream
    {
        MARCStream(bytes, limits: .standard, from: start, blockBytes: block)
    }

    private func records(_ bytes: [UInt8]) throws -> [StreamedRecord] {
        try StreamedRecord.all(of: stream(PiecedBytes(bytes))).records
    }

    /// A record's cells by column name, without empty ones.
    private func book(_ fields: [MARCFixture.Field], leader: String = "nam a") throws -> [String: String] {
        let record = try #require(try records(MARCFixture.record(fields, leader: leader)).first)
        return MARCTests.named(record.cells)
    }

    /// The date type and dates of field 008, the imprint, and the year; empty for none.
    @Test(arguments: [
        ("|2001####", "1422 n. H. = 2001 or 2002", "2001"), ("s2003    ", "1424 [2003 or 2004]", "2003"),
        ("s2004    ", "5764 [2004]", "2004"), ("q18001899", "[18--?]", ""), ("q19201929", "[192-]", ""),
        ("s192u    ", "[192-?]", ""), ("m99999999", "[s.d.]", ""), ("t20011999", "2001, c1999.", "2001"),
        ("m19871990", "1987-1990.", "1987"), ("q8858    ", "1978.", "1978"), ("c19909999", "1990-", "1990"),
        ("r18732010", "2010.", "2010"), ("s1381    ", "1381 [2002]", "1381"),
        ("s2002    ", "1381 [2002]", "2002"),
        ("q19301930", "[1930?]", "1930"), ("s1850    ", "1848", "1848"),
    ])
    func `the coded year decides where the imprint has another calendar or a range`(
        _ coded: String, _ imprint: String, _ year: String
    ) throws {
        let cells = try book([
            ("001", "1"), ("008", "100816\(coded)tnu           000 1 eng d"), ("245", "10$aKitab"),
            ("260", "  $aParis :$c\(imprint)"),
        ])
        #expect(cells["Year"] ?? "" == year, "\(cells)")
    }

    static func named(_ cells: [String]) -> [String: String] {
        let names = MARCColumnNames.all
        return Dictionary(uniqueKeysWithValues: zip(names, cells).filter { !$0.1.isEmpty })
    }

    @Test func `a record gives its book without cataloguing punctuation`() throws {
        let book = try book(MARCFixture.hyperion)
        #expect(
            book == [
                "Control Number": "made-up-1", "Title": "Hyperion: a novel", "People": "Dan Simmons|Jane Doe",
                "Roles": "author|translator", "ISBN-13": "9780385249492", "ISBN-10": "0385249497",
                "Publisher": "Doubleday", "Year": "1989", "Pages": "481", "Binding": "pbk.", "Language": "en",
                "Series": "Hyperion cantos", "Series Number": "1", "Subjects": "Science fiction; Pilgrims",
            ])
    }

    @Test(arguments: [
        ("10$aThe end.", "The end"), ("10$aWho is J.R.R.?", "Who is J.R.R.?"), ("10$aWait ...", "Wait ..."),
        ("10$aFaust.$nPart 2,$pThe tragedy /$cGoethe", "Faust. Part 2, The tragedy"),
        ("10$aSnow =$bSchnee /$cA. B.", "Snow"), ("10$a[Letters] /$cby X", "Letters"),
        ("10$aSounds$h[sound recording] :$bof the sea /", "Sounds: of the sea"),
        ("10$bonly a rest /", "only a rest"), ("10$a\u{98}The\u{9C} end /", "The end"), ("10$a", ""),
    ])
    func `a title is joined from its subfields without their punctuation`(field: String, title: String) throws
    {
        #expect(try book([("245", field)])["Title", default: ""] == title)
    }

    @Test(arguments: [
        ("1 $aLe Guin, Ursula K.,$d1929-2018.", "Ursula K. Le Guin"),
        ("0 $aVoltaire,$d1694-1778.", "Voltaire"),
        ("0 $aJohn Paul$bII,$cPope.", "John Paul II"),
        ("1 $aMiller, Walter M., Jr.", "Walter M. Miller Jr."),
        ("1 $aSimmons, Dan.", "Dan Simmons"),
    ])
    func `a name is put into reading order`(field: String, name: String) throws {
        #expect(try book([("100", field), ("245", "10$aX")])["People"] == name)
    }

    @Test(arguments: [
        ("xii, 340 p. : ill. ; 24 cm", "340"), ("1 online resource (291 pages)", "291"), ("3 v. ; 20 cm", ""),
        ("148 S.", "148"), ("1 audio disc", ""), ("[8], 312, [4] p.", "312"),
        ("999999999999 p.", "999999999"),
    ])
    func `pages are the greatest number before a word for pages`(extent: String, pages: String) throws {
        #expect(try book([("245", "10$aX"), ("300", "  $a" + extent)])["Pages", default: ""] == pages)
    }

    @Test func `roles are read from codes and words`() throws {
        let book = try book([
            ("100", "1 $aA, B"), ("245", "10$aX"), ("700", "1 $aC, D$4trl"), ("700", "1 $aE, F$eill."),
            ("700", "1 $aG, H"), ("700", "1 $aI, J$4http://id.loc.gov/vocabulary/relators/edt"),
        ])
        #expect(book["People"] == "B A|D C|F E|H G|J I")
        #expect(book["Roles"] == "author|translator|illustrator|contributor|editor")
    }

    @Test func `the first ISBN determines the edition`() throws {
        let book = try book([
            ("020", "  $a9780385249492 (hardcover : alk. paper)"), ("020", "  $a9780553283686 (pbk.)"),
            ("020", "  $a0-385-24949-7"), ("245", "10$aX"),
        ])
        #expect(book["ISBN-13"] == "9780385249492")
        #expect(book["ISBN-10"] == "0385249497")
        #expect(book["Binding"] == "hardcover")
    }

    @Test func `a reprint has the year of its original, in either order`() throws {
        let fixed = "990101r19891954nyu           000 1 eng d"
        #expect(try book([("008", fixed), ("245", "10$aX")])["Original Year"] == "1954")
        let turned = "990101r19541989nyu           000 1 eng d"
        let book = try book([("008", turned), ("245", "10$aX")])
        #expect(book["Original Year"] == "1954")
        #expect(book["Year"] == "1989")
    }

    @Test func `MARC-8 and UTF-8 are distinguished by their bytes if the leader is wrong`() throws {
        let fields: [MARCFixture.Field] = [("245", "10$aEtudes /")]
        let marc8 = MARCFixture.record(fields, leader: "nam  ") { text in
            Array(text.utf8).flatMap { $0 == UInt8(ascii: "E") ? [0xE2, 0x45] : [$0] }
        }
        #expect(MARCTests.named(try records(marc8)[0].cells)["Title"] == "Études")
        #expect(try book([("245", "10$aÉtudes /")], leader: "nam  ")["Title"] == "Études")
    }

    @Test func `invalid bytes are flagged and replaced`() throws {
        let bytes = MARCFixture.record([("245", "10$aX?Y")]) { text in
            Array(text.utf8).map { $0 == UInt8(ascii: "?") ? 0xFF : $0 }
        }
        let record = try records(bytes)[0]
        #expect(record.flags == .invalidUTF8)
        #expect(MARCTests.named(record.cells)["Title"] == "X\u{FFFD}Y")
    }

    @Test func `wrong lengths are ignored if the terminators contradict them`() throws {
        // As after a conversion to UTF-8 that did not update the lengths.
        var bytes = Self.hyperion
        let title = try #require(bytes.firstRange(of: Array("Hyperion :".utf8)))
        bytes.replaceSubrange(title, with: Array("Hypérïon :".utf8))
        let record = try records(bytes + Self.hyperion)
        #expect(record.count == 2)
        #expect(record[0].flags == .wrongLengths)
        #expect(MARCTests.named(record[0].cells)["Title"] == "Hypérïon: a novel")
        #expect(MARCTests.named(record[0].cells)["Publisher"] == "Doubleday")
        #expect(record[1].flags == [])
    }

    @Test func `a directory with repeated entries yields no more fields than the bytes hold`() throws {
        let note = String(repeating: "$a?", count: 3_000)
        var bytes = MARCFixture.record([("245", "10$aReef"), ("500", "  \(note)")]) { text in
            Array(text.utf8).map { $0 == UInt8(ascii: "?") ? 0xFF : $0 }
        }
        let directoryEnd = try #require(bytes.firstIndex(of: 0x1E))
        let entry = Array(bytes[directoryEnd - 12..<directoryEnd])
        bytes.insert(contentsOf: Array(repeating: entry, count: 1_000).joined(), at: directoryEnd)
        var stream = stream(PiecedBytes(bytes))
        var arena = Arena()
        var cells: [Text] = []
        let record = try #require(try stream.next(arena: &arena, cells: &cells))
        #expect(record.flags.contains(.wrongLengths))
        #expect(MARCTests.named(cells[record.cells].map { arena[$0] })["Title"] == "Reef")
        #expect(arena.withAllBytes { $0.count } < 3 * bytes.count)
    }

    @Test func `a record keeps a limited number of people and headings, without duplicates`() throws {
        let people = (0..<400).map { ("700", "1 $aDoe \($0 % 390),") }
        let headings = (0..<1_200).map { ("650", " 0$aHeading \($0 / 2).") }
        let book = try book([("245", "10$aReef")] + people + headings)
        let names = try #require(book["People"]).split(separator: "|")
        // One more than a book can have, so that the excess is reported.
        #expect(names.count == 256)
        #expect(book["Roles"]?.split(separator: "|").count == 256)
        let subjects = try #require(book["Subjects"]).split(separator: "; ")
        #expect(subjects.map(String.init) == (0..<512).map { "Heading \($0)" })
    }

    @Test func `a damaged record costs no other`() throws {
        let junk = Array("no record at all".utf8) + [0x1D]
        let found = try records(Self.hyperion + junk + Array("\r\n".utf8) + Self.hyperion)
        #expect(found.map(\.flags) == [[], .unreadable, []])
        #expect(found.map(\.position.record) == [1, 2, 3])
        #expect(found[2].position.byte == Int64(Self.hyperion.count + junk.count + 2))
    }

    @Test func `every cut of a record is reported, and the one before is not harmed`() throws {
        for length in 0..<Self.hyperion.count {
            let found = try records(Self.hyperion + Self.hyperion.prefix(length))
            #expect(found.count == (length == 0 ? 1 : 2))
            #expect(found[0].flags == [])
            if length > 0 { #expect(found[1].flags == [.cutShort, .unreadable]) }
        }
    }

    @Test func `records are the same however the input is cut and wherever reading resumes`() throws {
        let bytes =
            Self.hyperion + Array("\n\n".utf8) + Self.hyperion + Array("junk".utf8) + [0x1D] + Self.hyperion
        #expect(try StreamContract.violations(bytes) { stream($0, $1, $2) } == [])
    }

    @Test func `damage of any kind is handled`() throws {
        var random = SeededGenerator(seed: 2709)
        for _ in 0..<150 {
            var bytes = Self.hyperion + Self.hyperion
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let at = Int.random(in: bytes.indices, using: &random)
                bytes[at] = [0x1D, 0x1E, 0x1F, 0x1B, 0xFF, 0x39].randomElement(using: &random) ?? 0
            }
            #expect(try StreamContract.violations(bytes, pieces: [5]) { stream($0, $1, $2) } == [])
        }
    }

    @Test func `memory does not grow with the input`() throws {
        var stream = MARCStream(
            RepeatedBytes(Self.hyperion, times: 3_000), limits: .standard, from: .start)
        #expect(try StreamedRecord.count(in: &stream) == 3_000)
        #expect(stream.heldBytes <= 256 * 1024)
    }

    @Test func `a record over the limit is skipped in bounded memory`() throws {
        let limits = RecordLimits(recordBytes: 100_000)
        let long = RepeatedBytes(Array("0123456789".utf8), times: 500_000)
        let found = try StreamedRecord.all(of: MARCStream(long, limits: limits, from: .start))
        #expect(found.records.count == 1)
        #expect(found.records[0].rawLength == 5_000_000)
        #expect(found.records[0].raw.count == Reject.keptBytes)
        #expect(found.records[0].flags.contains(.recordOverLimit))
    }
}

/// The column names of the format.
private enum MARCColumnNames {
    static let all: [String] = {
        guard let files = try? WrittenFiles(), let path = try? files.write("x"),
            let file = try? InputFile(path)
        else { return [] }
        return (try? MARC().columns(of: file)) ?? []
    }()
}
