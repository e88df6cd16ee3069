import Syntax
import TestSupport
import Testing

/// Parses RFC 4180, simply and slowly, to check the writer.
private func parsed(_ bytes: [UInt8], delimiter: UInt8) -> [[[UInt8]]] {
    var records: [[[UInt8]]] = []
    var record: [[UInt8]] = []
    var cell: [UInt8] = []
    var index = 0
    while index < bytes.count {
        if bytes[index] == UInt8(ascii: "\""), cell.isEmpty {
            index += 1
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "\"") {
                    index += 1
                    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { break }
                }
                cell.append(bytes[index])
                index += 1
            }
            continue
        }
        switch bytes[index] {
        case delimiter:
            record.append(cell)
            cell = []
        case UInt8(ascii: "\r") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n"):
            break
        case UInt8(ascii: "\n"):
            records.append(record + [cell])
            (record, cell) = ([], [])
        default:
            cell.append(bytes[index])
        }
        index += 1
    }
    return records
}

/// One record as text.
private func line(_ cells: String..., safe: Bool = false) -> String {
    var out = CSVWriter(guardsFormulas: safe)
    out.record(cells)
    return String(decoding: out.bytes, as: UTF8.self)
}

@Suite struct CSVWriterTests {
    @Test func `cells are quoted only if necessary`() {
        #expect(line("plain", "two words", "漢字", "") == "plain,two words,漢字,\n")
        #expect(line("a,b", "say \"no\"", "x\ny", "x\ry") == "\"a,b\",\"say \"\"no\"\"\",\"x\ny\",\"x\ry\"\n")
        #expect(line(" lead", "trail ", "\t") == "\" lead\",\"trail \",\"\t\"\n")
        #expect(line("\"", "\"\"") == "\"\"\"\",\"\"\"\"\"\"\n")
    }

    @Test func `a record of one empty cell is not a blank line, and a record without cells is nothing`() {
        #expect(line("") == "\"\"\n")
        #expect(line() == "")
        #expect(line("", "") == ",\n")
    }

    @Test func `the caller chooses line end and delimiter`() {
        var out = CSVWriter(delimiter: UInt8(ascii: "\t"), lineEnd: .crlf)
        out.record(["a,b", "c\td"])
        #expect(String(decoding: out.bytes, as: UTF8.self) == "a,b\t\"c\td\"\r\n")
    }

    @Test func `formulas are not guarded by default`() {
        #expect(line("=\"0439708184\"") == "\"=\"\"0439708184\"\"\"\n")
        #expect(line("=1+1", "@x", "-x") == "=1+1,@x,-x\n")
    }

    @Test func `cells a spreadsheet would run get an apostrophe, numbers do not`() {
        #expect(line("=1+1", "@SUM(A1)", "+x", "-cmd", safe: true) == "'=1+1,'@SUM(A1),'+x,'-cmd\n")
        #expect(line("=A1,B1", "\tx", safe: true) == "\"'=A1,B1\",\"'\tx\"\n")
        #expect(line("＝1+1", "＠x", "－x", "＋x", safe: true) == "'＝1+1,'＠x,'－x,'＋x\n")
        #expect(line("-44", "+1.5", "3", "a=b", "？", safe: true) == "-44,+1.5,3,a=b,？\n")
        #expect(line("-", "+.", "-1.2.3", "-2+3", safe: true) == "'-,'+.,'-1.2.3,'-2+3\n")
    }

    @Test func `draining between records keeps every byte`() {
        var out = CSVWriter()
        var whole: [UInt8] = []
        for number in 0..<100 {
            out.record(["\(number)", "", "x,\(number)"])
            out.drain { whole.append(contentsOf: $0) }
            #expect(out.bytes.isEmpty)
        }
        // A record of one empty cell after a drain must not become a blank line either.
        out.record([""])
        out.drain { whole.append(contentsOf: $0) }
        let records = parsed(whole, delimiter: UInt8(ascii: ","))
        #expect(records.count == 101)
        #expect(records.last == [[]])
    }

    @Test(arguments: [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")])
    func `written records read back unchanged, whatever the bytes`(delimiter: UInt8) {
        var random = SeededGenerator(seed: 0xC5B)
        let pool: [UInt8] = Array("a\"\",;\t| \r\n'=-+".utf8) + [0x00, 0x80, 0xC3, 0xFF, delimiter]
        for round in 0..<1_000 {
            var records: [[[UInt8]]] = []
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                records.append(
                    (0..<Int.random(in: 1...5, using: &random)).map { _ in
                        (0..<Int.random(in: 0...8, using: &random)).map { _ in
                            pool.randomElement(using: &random) ?? 0
                        }
                    })
            }
            var out = CSVWriter(delimiter: delimiter, lineEnd: round.isMultiple(of: 2) ? .lf : .crlf)
            for record in records {
                for cell in record { cell.withUnsafeBytes { out.cell(utf8: $0) } }
                out.endRecord()
            }
            #expect(parsed(out.bytes, delimiter: delimiter) == records, "round \(round)")
        }
    }
}
