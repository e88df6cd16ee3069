import Bytes
import Syntax
package import System

/// Splits texts into the tokens of a model, as its `tokenizer.json` describes.
///
/// Byte-pair encoding and word pieces are supported, which static models have. Special tokens are neither added nor
/// recognized in a text: a title `</s>` is five characters.
package struct Tokenizer: Sendable {
    /// Maximum size of a `tokenizer.json` in bytes. Those of real models have up to 20 MB.
    static let mostBytes = 64 << 20

    private enum Model: Sendable {
        case pairs(BytePairs)
        case pieces(WordPieces)
    }

    private let normalizers: [TextNormalizer]
    private let splitter: WordSplitter
    private let model: Model
    /// The greatest id of a token.
    package let lastToken: Int

    /// The tokens of words that occurred before. It has no influence on results.
    struct Memory: Sendable {
        /// Words remembered, at most, and the bytes of the longest one.
        fileprivate static let (mostWords, mostBytes) = (1 << 16, 64)
        fileprivate var words = ByteTable(capacity: 1 << 12)
        fileprivate var tokens: [Int32] = []
        fileprivate var ends: [Int32] = []
    }

    /// Reads the tokenizer of a model.
    ///
    /// - Parameter path: The path of a `tokenizer.json`.
    /// - Throws: `.missing` if there is no such file, `.unusableInput` if it is damaged or asks for something else.
    package init(_ path: String) throws(ETLError) {
        try self.init(MappedFile(path), path)
    }

    init(_ content: MappedFile, _ path: String) throws(ETLError) {
        func refusal(_ why: String) -> ETLError {
            ETLError(
                .unusableInput, "`\(path)` cannot be used as a tokenizer: \(why).",
                advice: "Use the tokenizer.json that was published with the model.")
        }
        let file: TokenizerFile
        do throws(JSONReadError) {
            file = try TokenizerFile(content.bytes)
        } catch {
            throw refusal(
                error.kind == .truncated ? "it is cut off" : "it is not a tokenizer (byte \(error.offset))")
        }
        if let what = file.unsupported { throw refusal("it needs \(what), which is not supported") }
        guard file.tokens.count > 0 else {
            throw refusal(
                file.kind.isEmpty || file.kind == "BPE" || file.kind == "WordPiece"
                    ? "it has no tokens"
                    : "its kind is \(file.kind.prefix(40)); BPE and WordPiece are supported")
        }
        normalizers = file.normalizers
        lastToken = Int(file.lastToken)
        switch file.kind {
        case "WordPiece":
            let prefix = Array((file.continuingPrefix ?? "##").utf8)
            model = .pieces(WordPieces(file.tokens, prefix: prefix, mostCharacters: file.mostCharacters))
            splitter = file.splitter
        case "BPE":
            guard file.continuingPrefix?.isEmpty ?? true else {
                throw refusal("it has a prefix of word parts")
            }
            guard let pairs = file.pairs() else { throw refusal("it merges something that is no token") }
            model = .pairs(
                BytePairs(
                    file.tokens, pairs: pairs,
                    byteTokens: file.fallsBackToBytes ? Self.byteTokens(of: file.tokens) : [],
                    unknown: file.unknown.flatMap { Self.token($0, of: file.tokens) },
                    joinsUnknown: file.joinsUnknown))
            splitter = file.splitter == .never ? Self.splitter(for: file.tokens) : file.splitter
        default: throw refusal("its kind is \(file.kind.prefix(40)); BPE and WordPiece are supported")
        }
    }

    private static func token(_ text: String, of tokens: ByteTable) -> Int32? {
        var text = text
        return text.withUTF8 { tokens.value(of: UnsafeRawBufferPointer($0)) }
    }

    /// The tokens `<0x00>` to `<0xFF>`; none unless there are all.
    private static func byteTokens(of tokens: ByteTable) -> [Int32] {
        let digits = Array("0123456789ABCDEF")
        let found = (0..<256).compactMap { token("<0x\(digits[$0 >> 4])\(digits[$0 & 15])>", of: tokens) }
        return found.count == 256 ? found : []
    }

    /// Whether a text can be split before runs of `▁` although the tokenizer does not say so: no token has that character
    /// after another one, so nothing is ever joined there.
    private static func splitter(for tokens: ByteTable) -> WordSplitter {
        let mark = Array("▁".utf8)
        var (isUsed, isSafe) = (false, true)
        tokens.visit { token, _ in
            var index = 0
            while token.count - index >= 3, token[index..<index + 3].elementsEqual(mark) { index += 3 }
            if index > 0 { isUsed = true }
            while token.count - index >= 3 {
                if token[index..<index + 3].elementsEqual(mark) { isSafe = false }
                index += 1
            }
        }
        return isUsed && isSafe ? .before(mark) : .never
    }

    /// The tokens of a text.
    package func tokens(of text: String) -> [Int32] {
        var (tokens, memory) = ([Int32](), Memory())
        append(Array(text.utf8), to: &tokens, &memory)
        return tokens
    }

    /// Appends the tokens of a text of UTF-8.
    func append(_ text: [UInt8], to tokens: inout [Int32], _ memory: inout Memory) {
        var text = text
        for normalizer in normalizers { normalizer.apply(to: &text) }
        text.withUnsafeBytes { bytes in
            splitter.forEach(in: bytes) { word in append(word, to: &tokens, &memory) }
        }
    }

    private func append(_ word: UnsafeRawBufferPointer, to tokens: inout [Int32], _ memory: inout Memory) {
        if let known = memory.words.value(of: word) {
            let start = known == 0 ? 0 : Int(memory.ends[Int(known) - 1])
            tokens += memory.tokens[start..<Int(memory.ends[Int(known)])]
            return
        }
        let before = tokens.count
        switch model {
        case .pairs(let pairs): pairs.append(word, to: &tokens)
        case .pieces(let pieces): pieces.append(word, to: &tokens)
        }
        guard word.count <= Memory.mostBytes else { return }
        if memory.words.count >= Memory.mostWords { memory = Memory() }
        memory.words.insert(word, Int32(memory.ends.count))
        memory.tokens += tokens[before...]
        memory.ends.append(Int32(memory.tokens.count))
    }
}
