import Foundation
import System
import TestSupport
import Testing

@testable import Vectors

@Suite struct TokenizerTests {
    private let folder: TemporaryFolder

    /// - Throws: If there is no folder for temporary files.
    init() throws { folder = try TemporaryFolder() }

    private func tokenizer(_ text: String) throws -> Tokenizer {
        try Tokenizer(folder.write(text, to: "\(UUID().uuidString).json"))
    }

    private func message(_ text: String) throws -> String? {
        do {
            _ = try tokenizer(text)
            return nil
        } catch let error as ETLError {
            return error.message.components(separatedBy: "tokenizer: ").last
        }
    }

    /// Pairs as Llama's tokenizer has them: spaces are `▁`, and bytes stand for unknown characters.
    private static let pairs: String = {
        let digits = Array("0123456789ABCDEF")
        let bytes = (0..<256).map { "<0x\(digits[$0 >> 4])\(digits[$0 & 15])>" }
        let tokens = ["<unk>"] + bytes + ["▁", "t", "h", "e", "th", "▁the", "▁t", "he", "▁▁", "é"]
        let entries = tokens.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",")
        return """
            {"normalizer":{"type":"Sequence","normalizers":[{"type":"Prepend","prepend":"▁"},
            {"type":"Replace","pattern":{"String":" "},"content":"▁"}]},"pre_tokenizer":null,
            "model":{"type":"BPE","unk_token":"<unk>","fuse_unk":true,"byte_fallback":true,"vocab":{\(entries)},
            "merges":["t h","▁ t",["▁t","he"],"h e","▁ ▁"]}}
            """
    }()

    @Test(
        arguments: [
            ("", []), ("e", [257, 260]), ("the", [257, 261, 260]), ("he", [257, 264]),
            ("t he", [263, 257, 264]),
            ("  e", [265, 257, 260]), ("é", [257, 266]), ("ü", [257, 196, 189]),
        ] as [(String, [Int32])])
    func `pairs are joined in the order in which they were learned`(text: String, tokens: [Int32]) throws {
        #expect(try tokenizer(Self.pairs).tokens(of: text) == tokens)
    }

    @Test func `long texts and words without end take no more than linear memory and little time`() throws {
        let tokens = try tokenizer(Self.pairs).tokens(of: String(repeating: "the", count: 2_000))
        #expect(tokens.count == 4_001)
    }

    @Test(arguments: [
        ("Dragons!", ["dragon", "##s"]), ("DRÁGON", ["dragon"]), ("a\u{0}b\tc", ["a", "##b", "c"]),
        ("龍dragon", ["dragon"]), ("sea-sea", ["sea", "sea"]), ("\u{202E}sea", ["sea"]), ("   ", []),
    ])
    func `word pieces are the longest tokens, and words with unknown parts have none`(
        text: String, tokens: [String]
    ) throws {
        let found = try tokenizer(TinyModel.tokenizer()).tokens(of: text)
        #expect(found.map { TinyModel.tokens[Int($0)] } == tokens)
    }

    @Test(arguments: [
        ("", "it is cut off"), ("{", "it is cut off"), ("[]", "it is not a tokenizer (byte 0)"),
        ("{}", "it has no tokens."), (#"{"model":{"type":"BPE","vocab":{}}}"#, "it has no tokens."),
        (
            #"{"model":{"type":"Unigram","vocab":[["a",-1]]}}"#,
            "its kind is Unigram; BPE and WordPiece are supported."
        ),
        (
            #"{"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]}}"#,
            "it merges something that is no token."
        ),
        (
            #"{"model":{"type":"BPE","vocab":{"a":0},"merges":["ab"]}}"#,
            "it needs a merge that is not a pair, which is not supported."
        ),
        (
            #"{"model":{"type":"BPE","vocab":{"a":-4}}}"#,
            "it needs a token with an id that is no whole number, which is not supported."
        ),
        (
            #"{"pre_tokenizer":{"type":"ByteLevel"},"model":{"type":"BPE","vocab":{"a":0}}}"#,
            "it needs the pre-tokenizer ByteLevel, which is not supported."
        ),
        (
            #"{"normalizer":{"type":"Precompiled"},"model":{"type":"BPE","vocab":{"a":0}}}"#,
            "it needs the normalizer Precompiled, which is not supported."
        ),
    ])
    func `what cannot be done exactly is refused`(text: String, why: String) throws {
        let message = try message(text)
        #expect(message?.hasPrefix(why) == true, "\(message ?? "")")
    }
}
