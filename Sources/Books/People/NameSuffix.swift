import Bytes

/// Suffixes that follow a comma but belong to the name before it: `Jr.`, `III`, `Ph.D.`, `Inc.`
enum NameSuffix: Equatable {
    /// Nothing else: `Jr.`, `Ph.D.`
    case certain
    /// Initials or a given name after a family name alone, and a degree after a whole name: `Salinger, J.D.` and
    /// `Bob Nelson, J.D.`, `Rahman, Md`.
    case afterWholeName

    /// Nil for a text that is no suffix. Signs and case do not matter: `PhD`, `Ph. D.`, `ph.d`.
    init?(_ bytes: UnsafeRawBufferPointer, _ part: Range<Int>) {
        guard (2...12).contains(part.count) else { return nil }
        var (word, letters, run, longest) = (0 as UInt64, 0, 0, 0)
        for byte in bytes[part] {
            switch byte {
            case UInt8(ascii: "."), 0x20: run = 0
            default:
                let letter = byte.lowered
                guard letter &- UInt8(ascii: "a") < 26 || letter &- UInt8(ascii: "0") < 10, letters < 8 else {
                    return nil
                }
                word = word << 8 | UInt64(letter)
                letters += 1
                run += 1
                longest = max(longest, run)
            }
        }
        if Self.generations.contains(word) {
            self = .certain
        } else if Self.ambiguous.contains(word) {
            self = .afterWholeName
        } else if Self.titles.contains(word) {
            // Single letters can be initials: Kulkarni, D.D.S.
            self = longest > 1 ? .certain : .afterWholeName
        } else {
            return nil
        }
    }

    private static func words(_ list: [String]) -> Set<UInt64> {
        Set(list.map { UInt64(word: $0.utf8) })
    }

    private static let generations = words([
        "jr", "sr", "ii", "iii", "iv", "2nd", "3rd", "4th", "inc", "ltd", "llc", "gmbh",
    ])
    private static let titles = words([
        "phd", "dphil", "thd", "lld", "psyd", "edd", "esq", "dds", "dvm", "mba", "mfa", "msw", "mph", "lcsw",
        "lmft", "ofm", "osb", "cssr", "frcp", "frs", "obe", "cbe", "mbe",
    ])
    /// Also the given names Md, Ma, Edd and Jd, or initials of two letters.
    private static let ambiguous = words([
        "md", "ma", "ms", "ba", "bs", "bsc", "msc", "jd", "sj", "rn", "dd", "edd", "op", "dmin",
    ])
}

/// The parts of a text between commas outside of brackets, each with the suffixes after it.
struct NameParts {
    struct Part: Equatable {
        var name: Range<Int>
        var suffixes: [Range<Int>] = []
    }

    private(set) var parts: [Part] = []

    /// - Parameter order: Decides whether initials after a name of several words may be a degree.
    init(_ bytes: UnsafeRawBufferPointer, _ order: NameOrder) {
        var (start, depth) = (0, 0)
        for (at, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth = max(0, depth - 1)
            case UInt8(ascii: ",") where depth == 0:
                add(bytes.trimmedBlanks(in: start..<at), of: bytes, order)
                start = at + 1
            default: break
            }
        }
        add(bytes.trimmedBlanks(in: start..<bytes.count), of: bytes, order)
    }

    private mutating func add(_ part: Range<Int>, of bytes: UnsafeRawBufferPointer, _ order: NameOrder) {
        guard !part.isEmpty else { return }
        if let suffix = NameSuffix(bytes, part), let last = parts.last,
            suffix == .certain || isWhole(last.name, of: bytes, order)
        {
            parts[parts.count - 1].suffixes.append(part)
        } else {
            parts.append(Part(name: part))
        }
    }

    /// Whether the last part so far ends a name, and is not only a family name.
    private func isWhole(_ last: Range<Int>, of bytes: UnsafeRawBufferPointer, _ order: NameOrder) -> Bool {
        // King, Martin Luther, M.D.
        if order == .readingOrder || parts.count.isMultiple(of: 2) { return true }
        guard order == .unknown, bytes[last].contains(0x20) else { return false }
        return !NameWords(String(decoding: bytes[last], as: UTF8.self)).beginsWithParticle
    }
}
