import Syntax
import Testing

/// What a writer wrote, as text.
private func written(_ layout: JSONWriter.Layout = .compact, _ write: (inout JSONWriter) -> Void) -> String {
    var out = JSONWriter(layout)
    write(&out)
    return String(decoding: out.bytes, as: UTF8.self)
}

@Suite struct JSONWriterTests {
    @Test func `commas stand between values and nowhere else`() {
        let text = written { out in
            out.object { out in
                out.field("a", 1)
                out.field("b", [true, false])
                out.field("c") { out in out.field("d", [[String]]()) }
                out.key("e")
                out.array { out in
                    out.object { _ in }
                    out.null()
                    out.array { _ in }
                }
            }
        }
        #expect(text == #"{"a":1,"b":[true,false],"c":{"d":[]},"e":[{},null,[]]}"#)
    }

    @Test func `an absent value leaves its key out`() {
        let nothing: String? = nil
        let something: String? = "x"
        #expect(
            written {
                $0.object {
                    $0.field("a", nothing)
                    $0.field("b", something)
                }
            } == #"{"b":"x"}"#)
        #expect(written { $0.object { $0.field("a", nothing) } } == "{}")
    }

    @Test func `pretty output keeps the order of writing and leaves empty brackets on their line`() {
        let text = written(.pretty) { out in
            out.object { out in
                out.field("z", 1)
                out.field("a", ["x", "y"])
                out.field("none", [String]())
                out.field("empty") { _ in }
                out.field("nested") { out in out.field("deep", true) }
            }
        }
        #expect(
            text == """
                {
                  "z": 1,
                  "a": [
                    "x",
                    "y"
                  ],
                  "none": [],
                  "empty": {},
                  "nested": {
                    "deep": true
                  }
                }
                """)
    }

    @Test func `a value on its own is a whole text`() {
        #expect(written { $0.string("") } == #""""#)
        #expect(written { $0.integer(7) } == "7")
        #expect(
            written {
                $0.beginArray()
                $0.endArray()
            } == "[]")
    }

    @Test func `lines of NDJSON follow each other without commas`() {
        let text = written { out in
            for number in 1...3 {
                out.object { $0.field("n", number) }
                out.endLine()
            }
        }
        #expect(text == "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n")
    }

    @Test func `draining between values changes nothing but where the bytes lie`() {
        var out = JSONWriter()
        var pieces: [String] = []
        out.beginObject()
        out.key("list")
        out.beginArray()
        for number in 0..<5 {
            out.integer(Int64(number))
            out.drain { pieces.append(String(decoding: $0, as: UTF8.self)) }
            #expect(out.bytes.isEmpty)
        }
        out.endArray()
        out.endObject()
        out.drain { pieces.append(String(decoding: $0, as: UTF8.self)) }
        #expect(pieces == [#"{"list":[0"#, ",1", ",2", ",3", ",4", "]}"])
    }

    private struct DiskFull: Error {}

    private func drainIntoFullDisk(_ out: inout JSONWriter) throws(DiskFull) {
        try out.drain { _ throws(DiskFull) in throw DiskFull() }
    }

    @Test func `what could not be taken stays to be taken again`() {
        var out = JSONWriter()
        out.string("kept")
        var failed = false
        do throws(DiskFull) { try drainIntoFullDisk(&out) } catch { failed = true }
        #expect(failed)
        #expect(String(decoding: out.bytes, as: UTF8.self) == #""kept""#)
    }

    @Test(arguments: [
        (0, "0"), (-1, "-1"), (9, "9"), (10, "10"), (9_780_439_708_180, "9780439708180"),
        (Int64.max, "9223372036854775807"), (Int64.min, "-9223372036854775808"),
    ])
    func `whole numbers keep every digit`(number: Int64, expected: String) {
        #expect(written { $0.integer(number) } == expected)
    }

    @Test(arguments: [
        (0.95, "0.95"), (1, "1"), (-3, "-3"), (0, "0"), (0.1 + 0.2, "0.30000000000000004"), (1e22, "1e+22"),
        (0x1p53, "9007199254740992.0"), (.leastNonzeroMagnitude, "5e-324"), (4.47, "4.47"), (-0.0, "-0.0"),
    ])
    func `fractions are spelled with the fewest digits that read back the same`(
        number: Double, expected: String
    ) {
        #expect(written { $0.number(number) } == expected)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
    func `numbers JSON cannot spell are null`(number: Double) {
        #expect(written { $0.array { $0.number(number) } } == "[null]")
    }

    @Test func `keys from data are escaped as texts are`() {
        #expect(
            written {
                $0.object {
                    $0.key("a\"\n")
                    $0.integer(1)
                }
            } == #"{"a\"\n":1}"#)
    }
}
