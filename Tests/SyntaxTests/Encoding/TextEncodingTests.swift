import System
import TestSupport
import Testing

@testable import Syntax

@Suite struct TextEncodingTests {
    private static let text = "naïve,“quoted”,𝄞,€\r\n\"a\nb\",日本,é,\u{FFFD}\nlast"

    private func utf16(_ units: some Sequence<UInt16>, _ encoding: TextEncoding) -> [UInt8] {
        units.flatMap { unit in
            let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return encoding == .utf16BigEndian ? bytes : bytes.reversed()
        }
    }

    @Test(arguments: [TextEncoding.utf16LittleEndian, .utf16BigEndian])
    func `UTF-16 gives the same records as UTF-8`(_ encoding: TextEncoding) throws {
        let expected = try CSVReading(Array(Self.text.utf8))
        let input = encoding.byteOrderMark + utf16(Self.text.utf16, encoding)
        for block in [1, 2, 3, 7, 64, 10_000] {
            let reading = try CSVReading(input, encoding: encoding, pieces: [0, 1, 3], blockBytes: block)
            #expect(reading.cells == expected.cells)
            #expect(reading.records.map(\.flags) == [[], [], []])
            #expect(reading.records.map(\.position.line) == [1, 2, 4])
            #expect(reading.records[0].position.byte == 2)
            #expect(reading.end.byte == Int64(input.count))
            for (index, record) in reading.records.enumerated() {
                let rest = try CSVReading(input, encoding: encoding, from: record.position, blockBytes: block)
                #expect(rest.difference(from: Array(reading.records[index...])) == nil)
            }
        }
    }

    @Test(arguments: [TextEncoding.utf16LittleEndian, .utf16BigEndian])
    func `unpaired surrogates are flagged and become one replacement character`(_ encoding: TextEncoding)
        throws
    {
        let comma: UInt16 = 0x2C
        let newline: UInt16 = 0x0A
        let units: [UInt16] = [
            0x61, comma, 0xD834, comma, 0xDD1E, newline, 0xD834, 0xD834, 0xDD1E, newline, 0xDD1E,
        ]
        let input = utf16(units, encoding) + [0x41]
        for block in [1, 5, 1000] {
            let reading = try CSVReading(input, encoding: encoding, blockBytes: block)
            #expect(reading.cells == [["a", "\u{FFFD}", "\u{FFFD}"], ["\u{FFFD}𝄞"], ["\u{FFFD}"]])
            #expect(reading.records.allSatisfy { $0.flags == .invalidUTF8 })
            #expect(reading.records.map(\.position.byte) == [0, 12, 20])
            // Half a code unit at the end is not text.
            #expect(reading.end.byte == 22)
        }
    }

    @Test func `an unpaired surrogate at the very end is kept`() throws {
        let reading = try CSVReading([0x61, 0, 0x34, 0xD8], encoding: .utf16LittleEndian)
        #expect(reading.cells == [["a\u{FFFD}"]])
        #expect(reading.end.byte == 4)
    }

    @Test func `Windows-1252 has a character for every byte`() throws {
        let bytes = (UInt8.min...UInt8.max).filter { !Array("\r\n,\"\0".utf8).contains($0) }
        let reading = try CSVReading(bytes + Array("\nb".utf8), encoding: .windows1252, blockBytes: 50)
        #expect(reading.records.map(\.flags) == [[], []])
        #expect(reading.records[1].position.byte == Int64(bytes.count + 1))
        #expect(reading.cells[0][0].unicodeScalars.count == bytes.count)
        #expect(
            reading.cells[0][0].contains("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ\u{A0}¡"))
        #expect(reading.cells[0][0].hasSuffix("ýþÿ"))
    }

    @Test func `a UTF-8 byte order mark before Windows-1252 is not part of the first cell`() throws {
        let mark = TextEncoding.utf8.byteOrderMark
        let input = mark + Array("T\u{E9},b\n".unicodeScalars.map { UInt8($0.value) }) + Array("c\n".utf8)
        for block in [1, 2, 3, 7, 1000] {
            let reading = try CSVReading(input, encoding: .windows1252, blockBytes: block)
            #expect(reading.cells == [["Té", "b"], ["c"]])
            #expect(reading.records.map(\.position.byte) == [3, 8])
            #expect(reading.end.byte == Int64(input.count))
        }
        #expect(try CSVReading(mark, encoding: .windows1252).records == [])
    }

    @Test func `only the first byte order mark is left out of the first cell`() throws {
        let mark = TextEncoding.utf8.byteOrderMark
        let reading = try CSVReading(mark + Array("\"a,b\"\n".utf8) + mark + Array("c\n".utf8), pieces: [1])
        #expect(reading.cells == [["a,b"], ["\u{FEFF}c"]])
        #expect(reading.records[0].position == Position(byte: 3, line: 1, record: 1))
        #expect(try CSVReading(mark).records == [])
        #expect(try CSVReading(Array(mark.prefix(2))).records.count == 1)
    }

    @Test(arguments: TextEncoding.allCases) func `every byte is accounted for, whatever the block size`(
        _ encoding: TextEncoding
    ) throws {
        var generator = SeededGenerator(seed: 12)
        let limits = RecordLimits(fieldBytes: 20, recordBytes: 40, columns: 5)
        for _ in 0..<(encoding.isMultiByte ? 100 : 40) {
            let input = CSVRandomInputTests.randomInput(maxSymbols: 40, &generator)
            let expected = try CSVReading(input, encoding: encoding, limits: limits)
            let halfUnit = encoding.isWide ? input.count % 2 : 0
            #expect(expected.end.byte == Int64(input.count - halfUnit), "\(input)")
            for block in [1, 7, 13, 30] {
                let reading = try CSVReading(input, encoding: encoding, limits: limits, blockBytes: block)
                #expect(reading.difference(from: expected.records) == nil, "\(input) by \(block)")
                #expect(reading.end == expected.end)
            }
        }
    }

    @Test func `the encoding is guessed without a byte order mark`() {
        let latin = Array("Tizi Ouzou, B".utf8) + [0xE9] + Array("ja".utf8) + [0xEF] + Array("a\n".utf8)
        let mixed = Array("é,".utf8) + [0xE9, 0x2C]
        for (head, encoding, mark) in [
            ([], TextEncoding.utf8, 0),
            (Array("plain".utf8), .utf8, 0), (Array("é日𝄞".utf8), .utf8, 0), (mixed, .utf8, 0),
            (latin, .windows1252, 0), ([0x93, 0x61, 0x94, 0x0A], .windows1252, 0),
            (utf16("Title,Name\n日本語,é\n".utf16, .utf16LittleEndian), .utf16LittleEndian, 0),
            (utf16("Title,Name\n日本語,é\n".utf16, .utf16BigEndian), .utf16BigEndian, 0),
            ([0xFF, 0xFE, 0x61, 0x00], .utf16LittleEndian, 2),
            ([0xFE, 0xFF, 0x00, 0x61], .utf16BigEndian, 2),
            ([0xEF, 0xBB, 0xBF, 0x61], .utf8, 3),
            // Cut within a character, which is not damage.
            (Array("aé".utf8.dropLast()), .utf8, 0), (Array("a𝄞".utf8.dropLast(2)), .utf8, 0),
            // A few NUL bytes are damage, not UTF-16.
            (Array("a,b\0,c\0,ddddddddddddd\n".utf8), .utf8, 0),
        ] {
            let guess = TextEncoding.sniff(head: head)
            #expect(guess.encoding == encoding, "\(head): \(guess.evidence)")
            #expect(guess.byteOrderMarkLength == mark)
            #expect(!guess.evidence.isEmpty)
        }
    }

    @Test func `Cyrillic in windows-1251 is told from other encodings`() {
        // "Мастер и Маргарита,Булгаков" in windows-1251 and KOI8-R; "Οδύσσεια,Όμηρος και Ιλιάδα" in windows-1253.
        let windows: [UInt8] = [
            0xCC, 0xE0, 0xF1, 0xF2, 0xE5, 0xF0, 0x20, 0xE8, 0x20, 0xCC, 0xE0, 0xF0, 0xE3, 0xE0, 0xF0, 0xE8,
            0xF2,
            0xE0, 0x2C, 0xC1, 0xF3, 0xEB, 0xE3, 0xE0, 0xEA, 0xEE, 0xE2,
        ]
        let koi8: [UInt8] = [
            0xED, 0xC1, 0xD3, 0xD4, 0xC5, 0xD2, 0x20, 0xC9, 0x20, 0xED, 0xC1, 0xD2, 0xC7, 0xC1, 0xD2, 0xC9,
            0xD4,
            0xC1, 0x2C, 0xE2, 0xD5, 0xCC, 0xC7, 0xC1, 0xCB, 0xCF, 0xD7,
        ]
        let greek: [UInt8] = [
            0xCF, 0xE4, 0xFD, 0xF3, 0xF3, 0xE5, 0xE9, 0xE1, 0x2C, 0xBC, 0xEC, 0xE7, 0xF1, 0xEF, 0xF2, 0x20,
            0xEA, 0xE1,
            0xE9, 0x20, 0xC9, 0xEB, 0xE9, 0xDC, 0xE4, 0xE1,
        ]
        #expect(TextEncoding.sniff(head: windows).encoding == .windows1251)
        #expect(TextEncoding.windows1251.utf8(ofHead: windows) == Array("Мастер и Маргарита,Булгаков".utf8))
        #expect(TextEncoding.sniff(head: koi8).encoding != .windows1251)
        #expect(TextEncoding.sniff(head: greek).encoding != .windows1251)
        #expect(TextEncoding.windows1250.utf8(ofHead: [0xA3, 0xF3, 0x64, 0x9F]) == Array("Łódź".utf8))
    }

    @Test(arguments: TextEncoding.allCases.filter(\.isSingleByte))
    func `a table has a character for every byte that is one`(
        _ encoding: TextEncoding
    ) throws {
        let units = try #require(SingleByteTable.units(encoding))
        let defined = units.filter { $0 != SingleByteTable.undefined }
        #expect(units.count == 128 && units.allSatisfy { $0 >= 0x80 })
        #expect(Set(defined).count == defined.count && defined.count > 80)
    }

    @Test(arguments: [
        (TextEncoding.shiftJIS, "CP932", "ノルウェイの森,村上春樹\nﾉﾙｳｪｲ,ソ表\n"),
        (.eucJP, "EUC-JP", "雪国,川端康成\nﾉﾙｳｪｲ,丂\n"),
        (.gb18030, "GB18030", "活着,余华\n㐀𠀀é,镕\n"), (.big5, "BIG5", "紅樓夢,曹雪芹\n許功蓋,a\n"),
        (.eucKR, "UHC", "채식주의자,한강\n뷁,똠\n"),
    ])
    func `characters of one to four bytes give the same records as UTF-8`(
        _ encoding: TextEncoding, _ name: String, _ text: String
    ) throws {
        let input = EncodedText.bytes(text, in: name)
        try #require(!input.isEmpty)
        let expected = try CSVReading(Array(text.utf8))
        for block in [1, 2, 3, 5, 16, 1000] {
            let reading = try CSVReading(input, encoding: encoding, pieces: [0, 1, 2], blockBytes: block)
            #expect(reading.cells == expected.cells)
            #expect(reading.records.map(\.flags) == [[], []])
            #expect(reading.end.byte == Int64(input.count))
            let rest = try CSVReading(
                Array(input), encoding: encoding, from: reading.records[1].position, blockBytes: block)
            #expect(rest.difference(from: Array(reading.records[1...])) == nil)
        }
        // A byte that is no character does not swallow what follows it.
        let damaged = try CSVReading(
            Array("a\u{7F},".utf8) + [0xFF, 0x2C, 0x81, 0x0A, 0x62, 0x0A], encoding: encoding)
        #expect(damaged.records.count == 2)
        #expect(damaged.records.map(\.flags) == [.invalidUTF8, []])
    }

    @Test func `the head is converted to UTF-8 without the mark and partial characters`() {
        #expect(TextEncoding.utf8.utf8(ofHead: [0xEF, 0xBB, 0xBF] + Array("aé".utf8.dropLast())) == [0x61])
        #expect(TextEncoding.utf8.utf8(ofHead: [0x61, 0xE9, 0x61]) == [0x61, 0xE9, 0x61])
        #expect(TextEncoding.windows1252.utf8(ofHead: [0xE9]) == Array("é".utf8))
        #expect(
            TextEncoding.utf16LittleEndian.utf8(ofHead: [0xFF, 0xFE, 0xE9, 0x00, 0x61]) == Array("é".utf8))
    }
}
