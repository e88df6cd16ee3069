import Testing

@testable import CommandLineTool

@Suite struct VisibleControlsTests {
    @Test(arguments: [
        ("title", "title"), ("Übung\t\"x\"\n", "Übung\t\"x\"\n"), ("a\r\nb", "a\r\nb"), ("a\rb", "a\\u000db"),
        ("\u{1B}[31mred", "\\u001b[31mred"), ("\u{9B}31m", "\\u009b31m"), ("a\u{7F}", "a\\u007f"),
        ("\u{202E}gnp.exe", "\\u202egnp.exe"), ("\u{2066}x\u{2069}", "\\u2066x\\u2069"),
        ("\u{61C}", "\\u061c"),
        ("\u{200F}\u{2028}", "\\u200f\\u2028"), ("é – … ‘x’ №", "é – … ‘x’ №"), ("\u{0}", "\\u0000"),
        ("", ""),
    ])
    func `control characters become visible, text stays`(text: String, shown: String) {
        #expect(String(decoding: VisibleControls.escape(Array(text.utf8)), as: UTF8.self) == shown)
    }

    @Test func `a character that is cut off is passed on`() {
        for bytes: [UInt8] in [[0xE2], [0xE2, 0x80], [0xC2], [0xD8], [0xFF, 0xC2]] {
            #expect(VisibleControls.escape(bytes) == bytes)
        }
    }
}
