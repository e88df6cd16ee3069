import Books
import Formats
import Syntax
import System
import TestSupport
import Testing

/// Products as publishers really write them, where a simpler reading gave records without titles or people.
@Suite struct ONIXTitleTests {
    private func cells(_ product: String) throws -> [String] {
        let records = try records(product)
        #expect(records.count == 1)
        return try #require(records.first).cells
    }

    private func records(_ product: String) throws -> [StreamedRecord] {
        let bytes = Array("<ONIXMessage><Product>\(product)</Product></ONIXMessage>".utf8)
        let prolog = try #require(XMLProlog(head: bytes))
        return try StreamedRecord.all(
            of: ONIXStream(PiecedBytes(bytes), prolog: prolog, limits: .standard, from: .start)
        ).records
    }

    private func detail(_ type: String, _ title: String, level: String = "01") -> String {
        """
        <TitleDetail><TitleType>\(type)</TitleType><TitleElement><TitleElementLevel>\(level)</TitleElementLevel>\
        <TitleText>\(title)</TitleText></TitleElement></TitleDetail>
        """
    }

    @Test(arguments: ["00", "05", "13", "11", "14", "10", "07", "06", "03", "99"])
    func `a product has a title whatever its type`(_ type: String) throws {
        #expect(try cells(detail(type, "Reef"))[1] == "Reef")
    }

    @Test(arguments: [
        ("Reef, The", "The Reef"), ("Reef, A", "A Reef"), ("Riff, Das", "Das Riff"), ("Récif, L'", "L'Récif"),
        ("Reef, Tide, The", "The Reef, Tide"), ("Reef, Then", "Reef, Then"), ("Reef,The", "Reef,The"),
        (", The", ", The"),
    ])
    func `an article behind the title is turned`(_ title: String, _ turned: String) throws {
        #expect(try cells(detail("01", title))[1] == turned)
    }

    @Test func `the best type wins, in any order`() throws {
        #expect(try cells(detail("03", "Riff") + detail("05", "R.") + detail("01", "Reef"))[1] == "Reef")
        #expect(try cells(detail("01", "Reef") + detail("05", "R."))[1] == "Reef")
        let both = try cells(detail("03", "Riff") + detail("00", "Reef"))
        #expect(both[1] == "Reef")
        #expect(both.contains("Riff"))
    }

    @Test func `a volume without a title of its own takes the collection's title and its number`() throws {
        let volume = """
            <TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>02</TitleElementLevel>\
            <TitleText>Dragon Reef</TitleText></TitleElement><TitleElement><TitleElementLevel>01</TitleElementLevel>\
            <PartNumber>3</PartNumber></TitleElement></TitleDetail>
            """
        #expect(try cells(volume)[1] == "Dragon Reef 3")
        #expect(try cells(detail("01", "Dragon Reef", level: "02"))[1] == "Dragon Reef")
        let statement =
            "<TitleDetail><TitleType>01</TitleType><TitleStatement>Reef, shown</TitleStatement></TitleDetail>"
        #expect(try cells(statement)[1] == "Reef, shown")
    }

    private func person(_ name: String, role: String = "A01") -> String {
        "<Contributor><ContributorRole>\(role)</ContributorRole>\(name)</Contributor>"
    }

    @Test(arguments: [
        ("<PersonNameInverted>Guin, Ursula K. Le</PersonNameInverted>", "Ursula K. Le Guin"),
        ("<PersonNameInverted>Homer</PersonNameInverted>", "Homer"),
        (
            "<NamesBeforeKey>Ludwig</NamesBeforeKey><PrefixToKey>van</PrefixToKey><KeyNames>Beethoven</KeyNames>",
            "Ludwig van Beethoven"
        ),
        (
            "<TitlesBeforeNames>Dr</TitlesBeforeNames><NamesBeforeKey>Ana</NamesBeforeKey><KeyNames>Lee</KeyNames>"
                + "<SuffixToKey>Jr</SuffixToKey>", "Ana Lee Jr"
        ),
        ("<KeyNames>Madonna</KeyNames>", "Madonna"),
        ("<CorporateName>A &amp; B</CorporateName>", "A & B"),
    ])
    func `every way to write a name is read in reading order`(_ name: String, _ expected: String) throws {
        #expect(try cells(person(name))[2] == expected)
    }

    @Test func `nobody is invented, and roles are those of the nearest kind`() throws {
        let people = try cells(
            person("<UnnamedPersons>03</UnnamedPersons>")
                + person("<PersonName>Bo Ek</PersonName>", role: "A23")
                + person("<PersonName>Ana Lee</PersonName>", role: "A14")
                + person("<PersonName>Kim Ro</PersonName>", role: "A36"))
        #expect(people[2] == "Bo Ek|Ana Lee|Kim Ro")
        #expect(people[3] == "editor|author|illustrator")
    }

    @Test func `a subject's code stands for its heading, and keywords are no subjects`() throws {
        let subject = { (scheme: String, rest: String) in
            "<Subject><SubjectSchemeIdentifier>\(scheme)</SubjectSchemeIdentifier>\(rest)</Subject>"
        }
        let found = try cells(
            subject("10", "<MainSubject/><SubjectCode>FIC009020</SubjectCode>")
                + subject("93", "<SubjectCode>FLP</SubjectCode>")
                + subject("99", "<SubjectCode>X1</SubjectCode>")
                + subject("20", "<SubjectHeadingText>sea; magic</SubjectHeadingText>")
                + subject("12", "<SubjectHeadingText>Poetry</SubjectHeadingText>"))
        #expect(found.contains("Fantasy; Science Fiction; Poetry"))
        #expect(found.contains("sea; magic"))
    }

    @Test(arguments: [
        ("Re\u{1}ef", "Re\u{FFFD}ef"), ("Re&#1;ef", "Re\u{FFFD}ef"), ("Re&#x0;ef", "Re\u{FFFD}ef"),
        ("Re\u{FFFE}ef", "Re\u{FFFD}ef"), ("Re&#xD800;ef", "Re\u{FFFD}ef"),
        ("<![CDATA[Re\u{2}ef & <b>]]>", "Re\u{FFFD}ef & <b>"),
    ])
    func `a forbidden character damages a character, not the record`(_ text: String, _ title: String) throws {
        let record = try #require(try records(detail("01", text)).first)
        #expect(record.cells[1] == title)
        #expect(record.flags == [.replacedCharacters])
    }

    @Test func `a bare ampersand is an ampersand`() throws {
        let record = try #require(try records(detail("01", "Barnes & Noble, A&B, AT&T;")).first)
        #expect(record.cells[1] == "Barnes & Noble, A&B, AT\u{FFFD}")
    }

    @Test func `bytes that are not UTF-8 are read in their own encoding`() throws {
        let bytes = Array("<ONIXMessage><Product>\(detail("01", "Reef#s"))</Product></ONIXMessage>".utf8)
            .map { $0 == UInt8(ascii: "#") ? 0xE9 : $0 }
        let prolog = try #require(XMLProlog(head: bytes))
        let record = try #require(
            try StreamedRecord.all(
                of: ONIXStream(PiecedBytes(bytes), prolog: prolog, limits: .standard, from: .start)
            ).records.first)
        #expect(record.cells[1] == "Reefés")
        #expect(record.flags == [])
        #expect(prolog.wrongEncoding == .windows1252)
    }

    @Test func `products without a message around them are read`() throws {
        let files = try WrittenFiles()
        let product = """
            <Product><RecordReference>r</RecordReference><ProductIdentifier><ProductIDType>15</ProductIDType>\
            <IDValue>9780306406157</IDValue></ProductIdentifier>\(detail("05", "Reef"))</Product>
            """
        let one = try files.write(product, as: "one.xml")
        #expect(try RowFacts.of(one, [.title, .isbn13]).rows == [["Reef", "9780306406157"]])
        let several = try files.write("<?xml version=\"1.0\"?>\n\(product)\n\(product)", as: "two.xml")
        #expect(try RowFacts.of(several, [.title]).rows == [["Reef"], ["Reef"]])
        let other = try files.write("<Products>\(product)</Products>", as: "three.xml")
        let facts = try RowFacts.of(other, [.title])
        #expect(facts.formatName == "onix")
        #expect(facts.rows == [["Reef"]])
    }

    @Test func `the user's encoding overrides what the document declares`() throws {
        let files = try WrittenFiles()
        let text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ONIXMessage><Product>\(detail("01", "Caf#"))</Product></ONIXMessage>"
        let latin = text.utf8.map { $0 == UInt8(ascii: "#") ? 0xE9 : $0 }
        let path = try files.write(latin, as: "latin.xml")
        #expect(try RowFacts.of(path, [.title]) { $0.text.encoding = .windows1252 }.rows == [["Café"]])
        var wide: [UInt8] = []
        for unit in text.replacing("#", with: "é").utf16 { wide += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let widePath = try files.write(wide, as: "wide.xml")
        #expect(
            try RowFacts.of(widePath, [.title]) { $0.text.encoding = .utf16LittleEndian }.rows == [["Café"]])
    }
}
