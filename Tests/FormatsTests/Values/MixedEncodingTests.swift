import TestSupport
import Testing

@testable import Formats

@Suite struct MixedEncodingTests {
    private func decoded(_ bytes: [UInt8]) -> String? {
        bytes.withUnsafeBytes { MixedEncoding.decoded($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `UTF-8 text stays unchanged`() {
        #expect(decoded(Array("Gödel".utf8)) == nil)
        #expect(decoded([]) == nil)
    }

    @Test func `combining marks before letters are MARC-8, other bytes Windows-1252`() {
        #expect(decoded(Array("n".utf8) + [0xE2] + Array("ee".utf8)) == "née")
        #expect(decoded(Array("Stanis".utf8) + [0xB1] + Array("aw".utf8)) == "Stanisław")
        #expect(decoded(Array("caf".utf8) + [0xE9]) == "café")
        #expect(decoded([0x93] + Array("x".utf8) + [0x94]) == "“x”")
    }

    @Test func `each heading of a cell is decoded separately`() {
        let cell = Array("G".utf8) + [0xE8] + Array("odel > G".utf8) + [0xF6] + Array("del > Gödel".utf8)
        #expect(decoded(cell) == "Gödel > Gödel > Gödel")
    }

    @Test func `any bytes become text`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...40, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = bytes.withUnsafeBytes { MixedEncoding.decoded($0) }
            if let text { #expect(String(validating: text, as: UTF8.self) != nil) }
        }
    }
}
