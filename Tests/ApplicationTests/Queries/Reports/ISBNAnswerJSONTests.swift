import Books
import Contract
import Foundation
import Syntax
import Testing

@Suite struct ISBNAnswerJSONTests {
    private func json(_ input: String) -> String {
        var json = JSONWriter()
        ISBNAnswer(.check, input).write(into: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func `an answer is one JSON object with its keys in order`() {
        #expect(
            json("0-8264-9752-7")
                == #"{"input":"0-8264-9752-7","verdict":"valid","isbn13":"9780826497529","isbn10":"0826497527"}"#
        )
    }

    @Test(arguments: ["a\"b\\c", "tab\tnew\nline\r\u{1}", "Ünïcode 漢字 👍", "\u{2028}"])
    func `any input gives one line of valid JSON`(input: String) throws {
        let line = json(input)
        #expect(!line.contains("\n"))
        let decoded = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
        #expect(decoded["input"] == input)
    }
}
