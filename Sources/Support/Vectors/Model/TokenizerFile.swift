import Bytes
import Syntax

/// The parts of a `tokenizer.json` that decide about the tokens of a text. Anything that this module does not do is
/// noted as ``unsupported``, because other tokens would mean other vectors.
struct TokenizerFile {
    /// Nesting of normalizers, at most.
    private static let mostNesting = 8

    var normalizers: [TextNormalizer] = []
    var splitter = WordSplitter.never
    var kind = ""
    var tokens = ByteTable(capacity: 1 << 15)
    /// The highest token id; -1 if there is none.
    var lastToken: Int32 = -1
    var unknown: String?
    var fallsBackToBytes = false
    var joinsUnknown = false
    var continuingPrefix: String?
    var mostCharacters = 100
    /// Something that it asks for and that is not done, in words.
    var unsupported: String?

    /// The sides of a merge, as ranges of ``mergeBytes``.
    private struct Merge {
        var left: Range<Int>
        var right: Range<Int>
    }

    private var mergeBytes: [UInt8] = []
    private var merges: [Merge] = []

    /// Reads a file's content.
    init(_ content: UnsafeRawBufferPointer) throws(JSONReadError) {
        var reader = JSONReader(content)
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            switch key {
            case "normalizer": try readNormalizer(&reader, depth: 0)
            case "pre_tokenizer": try readSplitter(&reader)
            case "model": try readModel(&reader)
            default: break
            }
        }
        try reader.finish()
    }

    private mutating func note(unsupported what: String) { unsupported = unsupported ?? what }

    // MARK: Normalizer

    private mutating func readNormalizer(_ reader: inout JSONReader, depth: Int) throws(JSONReadError) {
        guard depth < Self.mostNesting, try reader.peek() == .object else {
            if try !reader.takeNull() {
                try reader.skip()
                note(unsupported: "its normalizer")
            }
            return
        }
        var (type, prepend, pattern, content, form) = ("", [UInt8](), [UInt8]?.none, [UInt8](), "")
        var (cleans, spaces, strips, lowercases) = (true, true, Bool?.none, true)
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            switch key {
            case "type":
                type = try reader.string().string
                form = type
            case "prepend": prepend = try reader.string().bytes
            case "content": content = try reader.string().bytes
            case "pattern":
                try reader.forEachKey { (key, reader) throws(JSONReadError) in
                    if key == "String" { pattern = try reader.string().bytes }
                }
            case "normalizers":
                try reader.forEachElement { (reader) throws(JSONReadError) in
                    try readNormalizer(&reader, depth: depth + 1)
                }
            case "clean_text": cleans = try reader.bool()
            case "handle_chinese_chars": spaces = try reader.bool()
            case "strip_accents": strips = try reader.takeNull() ? nil : reader.bool()
            case "lowercase": lowercases = try reader.bool()
            default: break
            }
        }
        switch type {
        case "Sequence": break
        case "Prepend": normalizers.append(.prepend(prepend))
        case "Replace":
            guard let pattern, !pattern.isEmpty else {
                return note(unsupported: "a pattern in its normalizer")
            }
            normalizers.append(.replace(pattern, content))
        case "Lowercase": normalizers.append(.lowercase)
        case "StripAccents": normalizers.append(.stripAccents)
        case "NFC": normalizers.append(.form(.c))
        case "NFD": normalizers.append(.form(.d))
        case "NFKC": normalizers.append(.form(.kc))
        case "NFKD": normalizers.append(.form(.kd))
        case "BertNormalizer":
            normalizers.append(
                .bert(
                    cleansText: cleans, spacesIdeographs: spaces, stripsAccents: strips ?? lowercases,
                    lowercases: lowercases))
        default: note(unsupported: "the normalizer \(form.prefix(40))")
        }
    }

    // MARK: Splitter

    private mutating func readSplitter(_ reader: inout JSONReader) throws(JSONReadError) {
        guard try reader.peek() == .object else { return try reader.skip() }
        var (type, mark, splits, prepends) = ("", Array("▁".utf8), true, true)
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            switch key {
            case "type": type = try reader.string().string
            case "replacement": mark = try reader.string().bytes
            case "split": splits = try reader.bool()
            case "prepend_scheme": prepends = try !(reader.string() == "never")
            case "add_prefix_space": prepends = try reader.bool()
            default: break
            }
        }
        switch type {
        case "BertPreTokenizer": splitter = .words
        case "Metaspace":
            normalizers.append(.replace([0x20], mark))
            if prepends { normalizers.append(.prependOnce(mark)) }
            splitter = splits ? .before(mark) : .never
        default: note(unsupported: "the pre-tokenizer \(type.prefix(40))")
        }
    }

    // MARK: Model

    private mutating func readModel(_ reader: inout JSONReader) throws(JSONReadError) {
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            switch key {
            case "type": kind = try reader.string().string
            case "vocab": try readTokens(&reader)
            case "merges": try readMerges(&reader)
            case "unk_token": unknown = try reader.takeNull() ? nil : reader.string().string
            case "byte_fallback": fallsBackToBytes = try reader.bool()
            case "fuse_unk": joinsUnknown = try reader.bool()
            case "max_input_chars_per_word":
                mostCharacters = Int(try reader.integer() ?? 0)
                if !(1...1_000).contains(mostCharacters) { note(unsupported: "its maximum length of words") }
            case "ignore_merges": if try reader.bool() { note(unsupported: "tokens without merges") }
            case "dropout": if try !reader.takeNull() { note(unsupported: "random tokens") }
            case "continuing_subword_prefix":
                if try !reader.takeNull() { continuingPrefix = try reader.string().string }
            case "end_of_word_suffix":
                if try !reader.takeNull(), try !reader.string().bytes.isEmpty {
                    note(unsupported: "a suffix of words")
                }
            default: break
            }
        }
    }

    private mutating func readTokens(_ reader: inout JSONReader) throws(JSONReadError) {
        // Models of another kind have a list of tokens with their probabilities.
        guard try reader.peek() == .object else { return try reader.skip() }
        try reader.forEachKey { (token, reader) throws(JSONReadError) in
            guard let id = try reader.integer().flatMap({ Int32(exactly: $0) }), id >= 0 else {
                return note(unsupported: "a token with an id that is no whole number")
            }
            lastToken = max(lastToken, id)
            token.bytes.withUnsafeBytes { _ = tokens.insert($0, id) }
        }
    }

    private mutating func readMerges(_ reader: inout JSONReader) throws(JSONReadError) {
        try reader.forEachElement { (reader) throws(JSONReadError) in
            let start = mergeBytes.count
            var middle: Int
            if try reader.peek() == .array {
                middle = start
                var count = 0
                try reader.forEachElement { (reader) throws(JSONReadError) in
                    try reader.string(into: &mergeBytes)
                    if count == 0 { middle = mergeBytes.count }
                    count += 1
                }
                guard count == 2 else { return note(unsupported: "a merge that is not a pair") }
                merges.append(Merge(left: start..<middle, right: middle..<mergeBytes.count))
                return
            }
            try reader.string(into: &mergeBytes)
            guard let space = mergeBytes[start...].firstIndex(of: 0x20) else {
                return note(unsupported: "a merge that is not a pair")
            }
            merges.append(Merge(left: start..<space, right: space + 1..<mergeBytes.count))
        }
    }

    /// The merges with the ids of their tokens; nil if one of them is no token.
    func pairs() -> [(left: Int32, right: Int32, token: Int32)]? {
        mergeBytes.withUnsafeBytes { bytes in
            var (pairs, joined) = ([(left: Int32, right: Int32, token: Int32)](), [UInt8]())
            pairs.reserveCapacity(merges.count)
            for merge in merges {
                let left = UnsafeRawBufferPointer(rebasing: bytes[merge.left])
                let right = UnsafeRawBufferPointer(rebasing: bytes[merge.right])
                joined.removeAll(keepingCapacity: true)
                joined += left
                joined += right
                guard let first = tokens.value(of: left), let second = tokens.value(of: right),
                    let token = joined.withUnsafeBytes({ tokens.value(of: $0) })
                else { return nil }
                pairs.append((first, second, token))
            }
            return pairs
        }
    }
}
