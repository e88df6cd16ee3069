import Books
import Bytes
import Formats
import Syntax
import System
import TestSupport
import Testing

@Suite struct MARCJSONTests {
    private static let record = MARCFixture.json(MARCFixture.hyperion)
    private static let other = MARCFixture.json([("001", "2"), ("245", "10$aReef \"{[\\")])

    private func stream(
        _ bytes: some ByteSource, _ start: Position = .start, _ block: Int = 1 << 16,
        limits: RecordLimits = .standard
    ) -> MARCJSONStream {
        MARCJSONStream(bytes, limits: limits, from: start, blockBytes: block)
    }

    private func records(_ text: String) throws -> [StreamedRecord] {
        try StreamedRecord.all(of: stream(PiecedBytes(text.utf8))).records
    }

    /// Cells of the named column, of all records.
    private func column(_ name: String, _ text: String) throws -> [String] {
        let files = try WrittenFiles()
        let names = try MARCJSON().columns(of: InputFile(files.write("x")))
        let index = try #require(names.firstIndex(of: name))
        return try records(text).map { $0.cells.isEmpty ? "-" : $0.cells[index] }
    }

    @Test func `it gives the same cells as ISO 2709`() throws {
        let bytes = MARCFixture.record(MARCFixture.hyperion)
        let binary = try StreamedRecord.all(
            of: MARCStream(PiecedBytes(bytes), limits: .standard, from: .start))
        #expect(try records(Self.record).map(\.cells) == binary.records.map(\.cells))
        #expect(try records(Self.record).map(\.flags) == [[]])
    }

    @Test func `a list, consecutive objects, JSON lines and nested objects give the same records`() throws {
        let cells = try records(Self.record)[0].cells
        let line = Self.record.replacing("\n", with: " ")
        let leader = "\"leader\": \"00000nam a2200000 a 4500\""
        let turned = Self.record.replacing("\(leader), ", with: "").dropLast() + ", \(leader)}"
        for text in [
            "[\(Self.record), \(Self.record)]", Self.record + Self.record, "\(line)\n\(line)\n",
            "{\"total\": 2, \"header\": {\"a\": 1}, \"records\": [\(Self.record), \(Self.record)], \"n\": {\"b\": \"c\"}}",
            """
            [{"id": "a", "parsed": {"content": \(turned)}, "meta": {"by": "x"}},
            {"id": "b", "parsed": {"content": \(Self.record)}, "meta": {"by": "x"}}]
            """,
            "[\(turned), {\"id\": {\"of\": \"it\"}, \(Self.record.dropFirst())]",
        ] { #expect(try records(text).map(\.cells) == [cells, cells], "\(text)") }
        for none in ["[]", "{}", "[[]]", "[1, \"leader\", null]", "\"fields\"", "{\"a\": {\"fieldset\": 1}}"]
        {
            #expect(try records(none) == [], "\(none)")
        }
    }

    @Test func `keys come in any order, and other content is skipped`() throws {
        let text = """
            {"fields": [{"001": 17}, {"245": {"subfields": [{"a": "Reef"}, {"c": null}, 5, {"b": ["x"]}],
            "ind2": "0", "ind1": "1", "more": {"subfields": []}}}, {"100": {"subfields": {"a": "lost"}}},
            {"500": null}, {}, 3, {"260": {"subfields": [{"": "?"}, {"b": "Press,"}, {"c": 1999}]}}], "extra": [[]]}
            """
        #expect(try column("Control Number", text) == ["17"])
        #expect(try column("Title", text) == ["Reef"])
        #expect(try column("Publisher", text) == ["Press"])
        #expect(try column("Year", text) == ["1999"])
        #expect(try column("People", text) == [""])
        // Without a leader it is treated as a book.
        #expect(try column("Material", text) == [""])
    }

    @Test func `numbers are accepted where digits are expected`() throws {
        let text = """
            {"leader": "x", "fields": [{"100": {"ind1": 1, "ind2": " ", "subfields": [{"a": "Le Guin, Ursula K."}]}},
            {"264": {"ind1": null, "ind2": 1, "subfields": [{"b": "Ace,"}, {"c": 1969}]}},
            {"264": {"ind1": "", "ind2": 4, "subfields": [{"b": "Nobody,"}]}}]}
            """
        #expect(try column("People", text) == ["Ursula K. Le Guin"])
        #expect(try column("Publisher", text) == ["Ace"])
        #expect(try column("Year", text) == ["1969"])
    }

    @Test func `without field 245 another title is used, or none`() throws {
        #expect(try column("Title", "{\"leader\": \"\", \"fields\": [{\"001\": \"1\"}]}") == [""])
        #expect(try column("Title", "{\"leader\": \"\", \"fields\": {\"245\": \"no list\"}}") == [""])
        #expect(try column("Title", MARCFixture.json([("246", "10$aReef")])) == ["Reef"])
    }

    @Test func `a damaged record costs no other`() throws {
        let open = "{\"leader\": \"x\", \"fields\": [{\"001\": \"1\"}, {\"245\": {\"ind1\": "
        let quote = "{\"leader\": \"x,\n\"fields\": [{\"001\": \"1\"}]}"
        let found = try records("[\(open)\n, \(quote),\n\(Self.other)]\n\(Self.other)")
        #expect(found.map(\.flags) == [.unreadable, .unreadable, [], []])
        #expect(found.map(\.position.record) == [1, 2, 3, 4])
        // A superfluous bracket ends its record; the fields after it belong to none.
        let closed = Self.record.replacing("{\"300\"", with: "}, {\"300\"")
        #expect(try records("[\(closed), \(Self.other)]").map(\.flags) == [.unreadable, []])
    }

    @Test func `strings broken across lines are read and reported`() throws {
        let broken = Self.other.replacing("Reef", with: "Reef,\n    a\tnovel\n  ")
        let found = try records("[\(broken), \(Self.other)]")
        #expect(found.map(\.flags) == [.bareControls, []])
        #expect(try column("Title", broken)[0].hasPrefix("Reef, a novel "))
    }

    @Test func `records are the same however the input is cut and wherever reading resumes`() throws {
        let open = "{\"leader\": \"x\", \"fields\": [{\"001\": "
        let text =
            "{\"records\": [\(Self.record), \(open)\n, {\"a\": \"b,\n\(Self.other)], \"c\": {\"d\": 1}}\n\(Self.record)"
        #expect(try StreamContract.violations(Array(text.utf8)) { stream($0, $1, $2) } == [])
    }

    @Test func `every cut and random damage are handled`() throws {
        let bytes = Array("[\(Self.other),\n\(Self.other)]".utf8)
        for length in bytes.indices {
            let found = try StreamedRecord.all(of: stream(PiecedBytes(bytes[..<length]))).records
            #expect(found.count <= 2)
            #expect(found.dropLast().allSatisfy { $0.flags == [] })
            // A record that has certainly begun is reported.
            if length > 12, found.count == 1, length < bytes.count / 2 - 2 {
                #expect(found[0].flags == [.cutShort, .unreadable])
            }
        }
        let violations = try StreamContract.violationsOfDamagedJSON(bytes, seed: 2010) { stream($0, $1, $2) }
        #expect(violations == [])
    }

    @Test func `memory grows neither with the list nor with content outside records`() throws {
        for part in ["\(Self.other),\n", "{\"a\": [{\"b\": \"c\"}]},\n\(Self.other)"] {
            var stream = stream(RepeatedBytes(Array(part.utf8), times: 3_000), .start, 256 * 1024)
            #expect(try StreamedRecord.count(in: &stream) == 3_000)
            #expect(stream.heldBytes <= 256 * 1024)
        }
    }

    @Test(arguments: [
        ("{\"leader\": \"", "x", "\"}"), ("{\"leader\": \"x\", \"more\": ", "{\"a\": ", ""), ("", "[", ""),
        ("", "{\"a\":", ""),
        ("", "{", ""),
    ])
    func `endless texts and nesting are skipped in bounded memory`(
        head: String, part: String, tail: String
    ) throws {
        let bytes = Array((head + String(repeating: part, count: 300_000) + tail + "\n" + Self.other).utf8)
        var stream = stream(PiecedBytes(bytes), limits: RecordLimits(recordBytes: 100_000))
        var flags: [RecordFlags] = []
        while true {
            var arena = Arena()
            var cells: [Text] = []
            guard let record = try stream.next(arena: &arena, cells: &cells) else { break }
            flags.append(record.flags)
            #expect(record.raw.length <= Reject.keptBytes)
        }
        // If the nesting begins a record, that one is over the limit; the next one is read in either case.
        #expect(flags.last == [])
        #expect(flags.dropLast().allSatisfy { $0.contains(.recordOverLimit) || $0.contains(.unreadable) })
        #expect(flags.count == (head.isEmpty && tail.isEmpty ? 1 : 2))
        #expect(stream.heldBytes <= 512 * 1024)
    }

    @Test func `nesting deeper than allowed is one reject`() throws {
        let deep = String(repeating: "[", count: 90) + String(repeating: "]", count: 90)
        let found = try records("[{\"leader\": \"x\", \"more\": \(deep)}, \(Self.other)]")
        #expect(found.map(\.flags) == [.unreadable, []])
    }

    @Test func `it is recognized by content, read like an import, and resumes`() async throws {
        let files = try WrittenFiles()
        let film = Self.other.replacing("00000nam", with: "00000ngm")
        let path = try files.write(
            "[\(Self.record), \(film),\n {\"leader\": \"x\", \n\(Self.other)]", as: "r.json")
        let settings = ReadSettings(files: [path], batchRecords: 1)
        let reading = try await Reading.of(settings)
        #expect(reading.columns?.formatName == "marc-json")
        #expect(reading.titles == ["Hyperion: a novel", "Reef \"{[\\"])
        #expect(reading.fact(2)[0] == "Dan Simmons as author;Jane Doe as translator")
        #expect(reading.rejects.map(\.code) == ["not_a_book", "record_unreadable"])
        #expect(MARCJSON().cells(ofRaw: reading.rejects[0].raw)?[0] == Array("2".utf8))
        #expect(MARCJSON().cells(ofRaw: reading.rejects[1].raw) == nil)
        for (index, end) in reading.ends.enumerated() {
            let head = try await Reading.of(settings, batches: index + 1)
            let tail = try await Reading.of(settings, from: end)
            #expect(head.records + tail.records == reading.records)
            #expect(head.rejects + tail.rejects == reading.rejects)
        }
        #expect(try RowFacts.of(path, []) { $0.format = "marc" }.formatName == "marc-json")
    }

    @Test func `LibraryThing's JSON and MARC in JSON are distinguished, whatever their texts are`() throws {
        let mine = Array(MARCFixture.json([("245", "10$abooks_id, \"workcode\" and \"books_id\"")]).utf8)
        #expect(MARCJSON().evidence(in: mine)?.contains("leader and fields and subfields") == true)
        #expect(LibraryThingJSON().evidence(in: mine) == nil)
        let theirs = Array(
            "{\"1\": {\"books_id\": \"1\", \"workcode\": \"2\", \"title\": \"\\\"leader\\\" \\\"fields\\\"\"}}"
                .utf8)
        #expect(LibraryThingJSON().evidence(in: theirs) != nil)
        #expect(MARCJSON().evidence(in: theirs) == nil)
    }

    @Test(arguments: [
        "[]", "{}", "[", "{\"leader\": \"00000nam a2200000 a 4500\"}", "{\"fields\": []}",
        "[{\"leader\": \"x\", \"controlfield\": []}]", "[\"leader\"]",
    ])
    func `JSON without a MARC record is rejected with a message`(text: String) async throws {
        let files = try WrittenFiles()
        let failure = await failure(of: ReadSettings(files: [try files.write(text, as: "x.json")]))
        #expect(failure?.kind == .unusableInput)
        #expect(failure?.message.contains("JSON") == true)
        #expect(failure?.advice?.description.isEmpty == false)
    }
}
