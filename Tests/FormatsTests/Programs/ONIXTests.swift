import Books
import Formats
import Syntax
import System
import TestSupport
import Testing

@Suite struct ONIXTests {
    private static let three = """
        <ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference"><Header><Sender>
        <SenderName>Nobody</SenderName></Sender></Header><Product><RecordReference>made.up.1</RecordReference>
        <ProductIdentifier><ProductIDType>01</ProductIDType><IDValue>X-1</IDValue></ProductIdentifier>
        <ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9780385249492</IDValue></ProductIdentifier>
        <DescriptiveDetail><ProductForm>BC</ProductForm><Collection><CollectionType>10</CollectionType><TitleDetail>
        <TitleType>01</TitleType><TitleElement><TitleElementLevel>02</TitleElementLevel><PartNumber>1</PartNumber>
        <TitleText>Hyperion Cantos</TitleText></TitleElement></TitleDetail></Collection><TitleDetail>
        <TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel><TitlePrefix>The</TitlePrefix>
        <TitleWithoutPrefix>Made-up &amp; True</TitleWithoutPrefix><Subtitle>a novel</Subtitle></TitleElement>
        </TitleDetail><TitleDetail><TitleType>03</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel>
        <TitleText>Other</TitleText></TitleElement></TitleDetail>
        <Contributor><SequenceNumber>2</SequenceNumber><ContributorRole>B06</ContributorRole>
        <PersonName>Jane Doe</PersonName></Contributor><Contributor><SequenceNumber>1</SequenceNumber>
        <ContributorRole>A01</ContributorRole><NamesBeforeKey>Dan</NamesBeforeKey><KeyNames>Simmons</KeyNames>
        </Contributor><Language><LanguageRole>02</LanguageRole><LanguageCode>ger</LanguageCode></Language>
        <Language><LanguageRole>01</LanguageRole><LanguageCode>eng</LanguageCode></Language>
        <Extent><ExtentType>00</ExtentType><ExtentValue>481</ExtentValue><ExtentUnit>03</ExtentUnit></Extent>
        <Subject><SubjectSchemeIdentifier>10</SubjectSchemeIdentifier><SubjectCode>FIC028000</SubjectCode>
        <SubjectHeadingText>FICTION / Science Fiction / General</SubjectHeadingText></Subject></DescriptiveDetail>
        <CollateralDetail><TextContent><TextType>03</TextType><Text textformat="05"><p>Good <em>words</em>.</p></Text>
        </TextContent></CollateralDetail><PublishingDetail><Publisher><PublishingRole>01</PublishingRole>
        <PublisherName>Doubleday</PublisherName></Publisher><PublishingDate><PublishingDateRole>01</PublishingDateRole>
        <Date>19890526</Date></PublishingDate><PublishingDate><PublishingDateRole>11</PublishingDateRole>
        <Date>19880101</Date></PublishingDate><PublishingDate><PublishingDateRole>20</PublishingDateRole>
        <Date>1987</Date></PublishingDate></PublishingDetail><RelatedMaterial><RelatedProduct>
        <ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9780553283686</IDValue></ProductIdentifier>
        </RelatedProduct></RelatedMaterial></Product></ONIXMessage>
        """

    private static let two = """
        <?xml version="1.0"?>
        <!DOCTYPE ONIXMessage SYSTEM "http://www.editeur.org/onix/2.1/short/onix-international.dtd">
        <ONIXmessage><product><a001>made.up.1</a001>
        <productidentifier><b221>01</b221><b244>X-1</b244></productidentifier>
        <productidentifier><b221>15</b221><b244>9780385249492</b244></productidentifier><b012>BC</b012>
        <series><b018>Hyperion Cantos</b018><b019>1</b019></series>
        <title><b202>01</b202><b030>The</b030><b031>Made-up &amp; True</b031><b029>a novel</b029></title>
        <title><b202>03</b202><b203>Other</b203></title>
        <contributor><b034>1</b034><b035>A01</b035><b036>Dan Simmons</b036></contributor>
        <contributor><b034>2</b034><b035>B06</b035><b036>Jane Doe</b036></contributor>
        <language><b253>01</b253><b252>eng</b252></language>
        <language><b253>02</b253><b252>ger</b252></language><b088>1987</b088><b061>481</b061>
        <subject><b067>10</b067><b069>FIC028000</b069><b070>FICTION / Science Fiction / General</b070></subject>
        <othertext><d102>01</d102><d104>Good words.</d104></othertext>
        <publisher><b291>01</b291><b081>Doubleday</b081></publisher><b003>19890526</b003></product></ONIXmessage>
        """

    private func records(_ text: String) throws -> [StreamedRecord] {
        let bytes = Array(text.utf8)
        let prolog = try #require(XMLProlog(head: bytes))
        return try StreamedRecord.all(
            of: ONIXStream(PiecedBytes(bytes), prolog: prolog, limits: .standard, from: .start)
        ).records
    }

    @Test func `ONIX 3 with reference names and ONIX 2 with short tags give the same cells`() throws {
        let three = try records(Self.three)
        #expect(try records(Self.two).map(\.cells) == three.map(\.cells))
        #expect(
            three.map { $0.cells.filter { !$0.isEmpty } } == [
                [
                    "made.up.1", "The Made-up & True: a novel", "Dan Simmons|Jane Doe", "author|translator",
                    "9780385249492", "Doubleday", "1989-05-26", "481", "Paperback", "eng", "Hyperion Cantos",
                    "1",
                    "FICTION / Science Fiction / General", "Good words.", "01=X-1", "Other", "ger", "1987",
                ]
            ])
    }

    @Test func `a language is read as its two-letter code`() throws {
        let files = try WrittenFiles()
        let path = try files.write(Self.two, as: "books.xml")
        #expect(try RowFacts.of(path, [.language]).rows == [["en"]])
    }

    @Test func `HTML entities are read without a document type`() throws {
        let text = Self.two.replacing("Made-up &amp; True", with: "Cr&eacute;ole &ndash; &lt;x&gt;")
        #expect(try records(text)[0].cells[1] == "The Créole – <x>: a novel")
        let unknown = try records(Self.two.replacing("&amp;", with: "&nothing;"))
        #expect(unknown.map(\.flags) == [.replacedCharacters])
        #expect(unknown[0].cells[1] == "The Made-up \u{FFFD} True: a novel")
    }

    @Test func `products are the same however the document is cut and wherever reading resumes`() throws {
        let product = try #require(Self.two.firstRange(of: "<product>")).lowerBound
        let end = try #require(Self.two.firstRange(of: "</ONIXmessage>")).lowerBound
        let again = Self.two[product..<end]
        let bytes = Array((Self.two[..<end] + again + "<product><b012>" + again + "</ONIXmessage>").utf8)
        let prolog = try #require(XMLProlog(head: bytes))
        let violations = try StreamContract.violations(bytes, pieces: [3, 100]) {
            ONIXStream($0, prolog: prolog, limits: .standard, from: $1, blockBytes: $2)
        }
        #expect(violations == [])
    }

    private func stream(_ bytes: some Collection<UInt8>) throws -> ONIXStream {
        let prolog = try #require(XMLProlog(head: Array(Self.two.utf8)))
        return ONIXStream(PiecedBytes(bytes), prolog: prolog, limits: .standard, from: .start)
    }

    @Test func `every cut and random damage are handled`() throws {
        let bytes = Array(Self.two.utf8)
        for length in stride(from: 0, to: bytes.count, by: 3) {
            #expect(try StreamedRecord.all(of: stream(bytes[..<length])).records.count <= 1)
        }
        var random = SeededGenerator(seed: 2101)
        for _ in 0..<200 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                damaged[Int.random(in: bytes.indices, using: &random)] =
                    Array("<>/&;\"=]a\u{0}".utf8).randomElement(using: &random) ?? 0
            }
            #expect(try StreamedRecord.all(of: stream(damaged)).records.count <= 2)
        }
    }

    @Test func `memory does not grow with the message`() throws {
        let prolog = try #require(XMLProlog(head: Array("<ONIXmessage>".utf8)))
        let product = "<product><a001>x</a001><title><b202>01</b202><b203>Reef</b203></title></product>\n"
        var stream = ONIXStream(
            RepeatedBytes(Array(product.utf8), times: 4_000), prolog: prolog, limits: .standard,
            from: .start)
        #expect(try StreamedRecord.count(in: &stream) == 4_000)
        #expect(stream.heldBytes <= 256 * 1024)
    }

    @Test func `a product keeps a limited number of subjects, without duplicates`() throws {
        let elements = (0..<2_000).map { "<x\($0)>y</x\($0)>" }.joined()
        let subjects = (0..<1_200).map { "<subject><x>y</x><b070>S\($0 / 2)</b070></subject>" }
        let text = Self.two.replacing("<subject>", with: "\(elements)\(subjects.joined())<subject>")
        let found = try records(text)
        #expect(found.map(\.flags) == [[]])
        let cells = try #require(found.first?.cells)
        #expect(cells[1] == "The Made-up & True: a novel")
        #expect(cells.contains((0..<512).map { "S\($0)" }.joined(separator: "; ")))
    }

    @Test func `a composite nested in one of the same name does not take its content`() throws {
        let inner = "<contributor><b036>Nobody</b036></contributor>"
        let text = Self.two.replacing(
            "<b036>Jane Doe</b036>", with: "<b036>Jane Doe</b036>\(inner)")
        #expect(try records(text)[0].cells.contains("Dan Simmons|Nobody|Jane Doe"))
    }

    @Test func `it is recognized by its root element, and a film is set aside`() async throws {
        let files = try WrittenFiles()
        let film = Self.two.replacing("<b012>BC", with: "<b012>VI")
        let settings = ReadSettings(files: [
            try files.write(Self.three, as: "3.xml"), try files.write(film, as: "2.xml"),
        ])
        let reading = try await Reading.of(settings)
        #expect(reading.columns?.formatName == "onix")
        #expect(reading.titles == ["The Made-up & True: a novel"])
        #expect(reading.fact(2) == ["Dan Simmons as author;Jane Doe as translator"])
        #expect(reading.fact(3) == ["Hyperion Cantos#1"])
        #expect(reading.rejects.map(\.code) == ["not_a_book"])
    }

    @Test func `a product that its publisher deleted is set aside`() async throws {
        let files = try WrittenFiles()
        let deleted = Self.two.replacing(
            "<a001>made.up.1</a001>", with: "<a001>made.up.1</a001><a002>05</a002>")
        let reading = try await Reading.of(ReadSettings(files: [try files.write(deleted, as: "2.xml")]))
        #expect(reading.titles.isEmpty)
        #expect(reading.rejects.map(\.code) == ["deleted_at_source"])
    }

    @Test func `an exponential entity expansion is rejected with a message`() async throws {
        let files = try WrittenFiles()
        let type = "<!DOCTYPE ONIXMessage [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>"
        let failure = await failure(
            of: ReadSettings(files: [try files.write(type + Self.three, as: "x.xml")]))
        #expect(failure?.kind == .unusableInput)
        #expect(failure?.message.contains("declarations in square brackets") == true)
    }

    @Test(arguments: [
        "<!DOCTYPE ONIXMessage [<!ELEMENT a ANY>]>", "<!DOCTYPE ONIXMessage SYSTEM 'a.dtd' []>",
        "<!DOCTYPE ONIXMessage PUBLIC \"p\" \"a.dtd\" [<!ATTLIST Product kind CDATA 'x'>]>",
    ])
    func `a document type with an internal subset is rejected`(type: String) async throws {
        let files = try WrittenFiles()
        let failure = await failure(
            of: ReadSettings(files: [try files.write(type + Self.three, as: "x.xml")]))
        #expect(failure?.kind == .unusableInput)
    }

    @Test func `an external DTD is not read`() async throws {
        let files = try WrittenFiles()
        // If it were read, the entity would be known and its text would be in the title.
        let dtd = try files.write("<!ENTITY secret \"secret\">", as: "a.dtd")
        let product = "<Product><Title><TitleText>A &secret; B</TitleText></Title></Product>"
        for name in [dtd, "a[1].dtd", "http://127.0.0.1:9/a.dtd"] {
            let type = "<!DOCTYPE ONIXMessage SYSTEM \"\(name)\">"
            let sound = try await Reading.of(
                ReadSettings(files: [try files.write(type + Self.three, as: "x.xml")]))
            #expect(sound.titles.count == 1)
            let text = type + "<ONIXMessage>\(product)</ONIXMessage>"
            let reading = try await Reading.of(ReadSettings(files: [try files.write(text, as: "x.xml")]))
            #expect(reading.titles == ["A \u{FFFD} B"])
        }
    }

    @Test func `extremely deep nesting is rejected, not read as an empty file`()
        async throws
    {
        let files = try WrittenFiles()
        let deep = String(repeating: "<a>", count: 300_000)
        let shut = String(repeating: "</a>", count: 300_000)
        for inside in [deep, deep + shut, deep + shut + "<Product/>"] {
            let path = try files.write("<ONIXMessage>\(inside)</ONIXMessage>", as: "x.xml")
            let failure = await failure(of: ReadSettings(files: [path]))
            #expect(failure?.kind == .unusableInput)
            #expect(failure?.message.contains("x.xml` nests elements more than 256 levels deep") == true)
            await #expect(throws: ETLError.self) {
                try await ReadLibrary(ReadSettings(files: [path])).surveyLibrary()
            }
        }
        let path = try files.write(
            "<ONIXMessage><Product>\(deep)\(shut)</Product></ONIXMessage>", as: "x.xml")
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(reading.rejects.map(\.code) == ["record_unreadable"])
        let flat = String(repeating: "<a><b/></a><Product>", count: 1_000)
        let many = try await ReadLibrary(
            ReadSettings(files: [try files.write("<ONIXMessage>\(flat)</ONIXMessage>", as: "x.xml")])
        ).surveyLibrary()
        #expect(many.recordCount == 1_000, "unclosed records do not count as nesting")
    }
}
