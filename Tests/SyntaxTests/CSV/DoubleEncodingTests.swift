import Testing

@testable import Syntax

@Suite struct DoubleEncodingTests {
    private func decoded(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { DoubleEncoding.decoded($0) }.map {
            String(decoding: $0.text, as: UTF8.self)
        }
    }

    private func isCertain(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { DoubleEncoding.decoded($0) }?.isCertain ?? false
    }

    @Test(arguments: [
        ("FranÃ§ois", "François"), ("ZoÃ« Ã„gÃ¤is", "Zoë Ägäis"), ("CafÃ© â€“ bar", "Café – bar"),
        ("ÐœÐ¸Ñ€", "Мир"), ("MÃ¼ller\u{C2}\u{A0}& Co", "Müller\u{A0}& Co"),
        ("\u{C3}\u{87}a", "Ça"), ("æˆ‘", "我"), ("LÃ -bas, dÃ©jÃ ", "Là-bas, déjà"), ("naÃ¯ve Ã", "naïve à"),
        ("Ã\u{87}Ã et lÃ", "Çà et là"), ("dÃ©jÃ  vu", "déjà vu"), ("dÃ©jÃ\u{A0} vu", "déjà vu"),
        ("donâ€™t", "don’t"), ("ðŸ“š", "📚"),
    ])
    func `text that was encoded twice is decoded`(_ text: String, _ meant: String) {
        #expect(decoded(text) == meant)
        #expect(isCertain(text))
        let bytes = Array(text.utf8)
        #expect(bytes.withUnsafeBytes { DoubleEncoding.mayBe(in: $0) })
    }

    @Test(arguments: [
        "", "plain", "François", "São Paulo", "IRMÃOS", "Größe", "»Großer Spaß«", "CAFÉ…", "“BLÅ”",
        "Ångström",
        "Достоевский", "我", "naïve FranÃ§ois", "Ã", "5 £", "É™", "Ελληνικά", "a\u{301}",
    ])
    func `text that was encoded once stays as it is`(_ text: String) {
        #expect(!isCertain(text))
    }

    @Test func `invalid bytes are not decoded`() {
        for bytes: [UInt8] in [[0xC3], [0xFF, 0xC3, 0xA9], [0xC3, 0x83, 0xC2]] {
            #expect(bytes.withUnsafeBytes { DoubleEncoding.decoded($0) } == nil)
        }
    }

    @Test func `every text survives being encoded twice`() {
        let letters = Array("aé ÖßñçžŁабв…–“”€")
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let text = String((0..<8).map { _ in letters.randomElement(using: &generator) ?? "a" }) + "é"
            let twice = String(text.utf8.map { Character(Unicode.Scalar($0)) })
            #expect(decoded(twice) == text)
        }
    }
}
