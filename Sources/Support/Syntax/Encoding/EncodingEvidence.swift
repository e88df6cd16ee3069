import Bytes

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How likely a text is in each encoding, by all its bytes above 0x7F.
///
/// The text is decoded in each encoding. Each character counts by how frequent it is in the languages of the encoding
/// (``EncodingLanguages``), and by where it stands: a sign between two letters, a capital after a small letter and a
/// Cyrillic letter in a Latin word are rare in any language. Cells may be in different languages.
struct EncodingEvidence {
    /// An encoding with its likelihood.
    private struct Reading {
        let encoding: TextEncoding
        /// Natural logarithm.
        let likelihood: Double
        /// The sample's cells as it reads them.
        let cells: [String]
    }

    /// Of these, an encoding is near certain with 1,000 : 1.
    private static let certainty = 7.0
    /// Less likely ones are not shown to the user, unless there would be none beside the first.
    private static let shownCandidates = 3
    /// Bytes above 0x7F that are weighed. More do not change the result.
    private static let mostBytes = 2_000
    private static let mostCellBytes = 600

    /// Cells with characters beyond ASCII that are UTF-8, and those that are not.
    private let validCells: Int
    private let invalidCells: Int
    /// The sample's cells as UTF-8.
    private let asUTF8: [String]
    /// The likeliest first.
    private let readings: [Reading]

    /// Nil for text without cells that are not UTF-8.
    init?(_ head: [UInt8]) {
        let (sample, valid) = Self.sample(of: head)
        guard !sample.isEmpty else { return nil }
        (validCells, invalidCells) = (valid, sample.count)
        asUTF8 = sample.map { String(decoding: $0, as: UTF8.self) }
        readings = EncodingLanguages.all.map { model in
            let cells = sample.map { DecodedCell($0, isCut: $0.count == Self.mostCellBytes, model.encoding) }
            return Reading(
                encoding: model.encoding, likelihood: model.prior + Self.likelihood(of: cells, in: model),
                cells: cells.map(\.text))
        }.sorted { $0.likelihood > $1.likelihood }
    }

    /// The likelihood of all cells, each in any language of the encoding. A file has few languages: those that explain
    /// many of its cells are likelier in the others.
    private static func likelihood(of cells: [DecodedCell], in model: EncodingLanguages) -> Double {
        let found = cells.map { $0.likelihoods(in: model) }
        let context = found.reduce(0) { $0 + $1.context }
        let languages = found.map(\.languages)
        let count = model.languages.count
        guard count > 0 else { return context }
        var weights = [Double](repeating: 1 / Double(count), count: count)
        var total = 0.0
        for _ in 0..<rounds {
            var shares = [Double](repeating: 0.5 / Double(count), count: count)
            total = 0
            for cell in languages {
                let best = cell.max() ?? 0
                let terms = zip(cell, weights).map { exp($0 - best) * $1 }
                let sum = terms.reduce(0, +)
                total += best + log(sum)
                for index in shares.indices { shares[index] += terms[index] / sum }
            }
            weights = shares.map { $0 / (Double(languages.count) + 0.5) }
        }
        return context + total
    }

    private static let rounds = 3

    /// The guess, with other candidates if it is not near certain.
    func guess(_ count: UTF8Count) -> EncodingGuess {
        let best = readings[0]
        // Some cells of another encoding are damage. Cells that are UTF-8 by chance are few.
        let isUTF8 = validCells >= invalidCells
        var guess = EncodingGuess(
            encoding: isUTF8 ? .utf8 : best.encoding, byteOrderMarkLength: 0,
            evidence: isUTF8
                ? "The beginning of the file is UTF-8 with \(count.sequences) non-ASCII characters and \(count.invalid) invalid bytes."
                : count.sequences == 0
                    ? "None of the \(count.invalid) non-ASCII bytes at the beginning of the file are valid UTF-8."
                    : "\(count.invalid) non-ASCII bytes at the beginning of the file are not UTF-8.")
        var shown: [Reading] = []
        if isUTF8 { shown.append(Reading(encoding: .utf8, likelihood: best.likelihood, cells: asUTF8)) }
        for reading in readings where !shown.contains(where: { $0.cells == reading.cells }) {
            shown.append(reading)
            if shown.count == Self.shownCandidates { break }
        }
        guard shown.count > 1, shown[0].likelihood - shown[1].likelihood < Self.certainty else {
            return guess
        }
        // Words that all candidates read alike tell nothing.
        let places = shown[0].cells.indices.filter { place in
            shown.dropFirst().contains { $0.cells[place] != shown[0].cells[place] }
        }
        guess.candidates = shown.map { reading in
            EncodingGuess.Candidate(
                encoding: reading.encoding,
                words: places.prefix(3).map { String(reading.cells[$0].prefix(40)) })
        }
        return guess
    }

    /// Cells with bytes above 0x7F that are not UTF-8, from all parts of the text, and the number of those that are.
    private static func sample(of head: [UInt8]) -> (cells: [ArraySlice<UInt8>], valid: Int) {
        // None of these bytes is the second of a character in any encoding.
        let separators: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x22, 0x2C, 0x3B]
        var seen: Set<ArraySlice<UInt8>> = []
        var cells: [ArraySlice<UInt8>] = []
        var valid = 0
        for cell in head.split(whereSeparator: separators.contains) where cell.contains(where: { $0 >= 0x80 })
        {
            let isAtEnd = cell.endIndex == head.endIndex
            let cell = cell.prefix(mostCellBytes)
            guard seen.insert(cell).inserted else { continue }
            let mayBeCut = isAtEnd || cell.count == mostCellBytes
            let whole = mayBeCut ? cell.dropLast(UTF8Count.cutOff(cell)) : cell
            if String(validating: whole, as: UTF8.self) == nil { cells.append(cell) } else { valid += 1 }
        }
        let bytes = cells.reduce(0) { $0 + $1.count { $0 >= 0x80 } }
        guard bytes > mostBytes else { return (cells, valid) }
        let step = max(2, bytes / mostBytes)
        return (cells.indices.filter { $0 % step == 0 }.map { cells[$0] }, valid / step)
    }
}

/// A cell decoded in some encoding.
private struct DecodedCell {
    private struct Character {
        /// Nil for bytes that are no character.
        var scalar: Unicode.Scalar?
        /// Its first byte.
        var lead: UInt8
        var length: Int
    }

    private var characters: [Character] = []

    /// - Parameter isCut: Whether the last character may be incomplete.
    init(_ bytes: ArraySlice<UInt8>, isCut: Bool, _ encoding: TextEncoding) {
        characters.reserveCapacity(bytes.count)
        if let units = SingleByteTable.units(encoding) {
            for byte in bytes {
                let unit = byte < 0x80 ? UInt16(byte) : units[Int(byte) - 0x80]
                let scalar = unit == SingleByteTable.undefined ? nil : Unicode.Scalar(unit)
                characters.append(Character(scalar: scalar, lead: byte, length: 1))
            }
            return
        }
        guard let converter = CharacterConverter(encoding) else { return }
        var rest = bytes
        while let lead = rest.first {
            if lead < 0x80 {
                characters.append(Character(scalar: Unicode.Scalar(lead), lead: lead, length: 1))
                rest.removeFirst()
                continue
            }
            let (scalar, length) = converter.character(in: rest.prefix(4))
            if scalar == nil, isCut, rest.count < 4 { break }
            characters.append(Character(scalar: scalar, lead: lead, length: length))
            rest.removeFirst(length)
        }
    }

    var text: String {
        var text = String.UnicodeScalarView()
        for character in characters { text.append(character.scalar ?? "\u{FFFD}") }
        return String(text)
    }

    /// Natural logarithms of the likelihoods: of the letters in each language, and of all that does not depend on it.
    func likelihoods(in model: EncodingLanguages) -> (context: Double, languages: [Double]) {
        var context = 0.0
        var languages = [Double](repeating: 0, count: model.languages.count)
        for (place, character) in characters.enumerated() {
            guard character.lead >= 0x80 else {
                context += EncodingLanguages.ascii
                if let scalar = character.scalar, scalar.properties.isUppercase, place > 0,
                    let before = characters[place - 1].scalar, before.value >= 0x80,
                    before.properties.isLowercase
                {
                    context += EncodingLanguages.rareCase
                }
                continue
            }
            let before = place > 0 ? characters[place - 1].scalar : nil
            let after = place + 1 < characters.count ? characters[place + 1].scalar : nil
            guard let scalar = character.scalar else {
                context += EncodingLanguages.invalid
                continue
            }
            context += Self.context(of: scalar, before, after)
            if model.encoding.isMultiByte {
                context += EncodingLanguages.likelihood(of: scalar, lead: character.lead, in: model.encoding)
            } else {
                for index in languages.indices {
                    languages[index] += model.languages[index].likelihood(of: scalar)
                }
            }
        }
        return (context, languages)
    }

    /// How much the neighbors of a character speak against it.
    private static func context(
        of scalar: Unicode.Scalar, _ before: Unicode.Scalar?, _ after: Unicode.Scalar?
    ) -> Double {
        let properties = scalar.properties
        let follows = before?.properties.isAlphabetic ?? false
        guard properties.isAlphabetic else {
            let isWithin = follows && after?.properties.isAlphabetic ?? false
            return isWithin && !EncodingLanguages.joiners.contains(scalar) ? EncodingLanguages.signInWord : 0
        }
        var likelihood = 0.0
        let isLatin = Script(scalar) == .latin
        for neighbor in [before, after].compactMap(\.self) where neighbor.properties.isAlphabetic {
            if Script(neighbor) != Script(scalar) { likelihood += EncodingLanguages.mixedWord }
        }
        if isLatin, follows, let before, before.value >= 0x80 {
            likelihood += EncodingLanguages.adjacentAccents
        }
        if properties.isUppercase {
            if follows, before?.properties.isLowercase == true {
                likelihood += EncodingLanguages.rareCase
            } else {
                likelihood += EncodingLanguages.capital
            }
        } else if properties.isLowercase, !follows {
            likelihood += EncodingLanguages.smallInitial
        }
        return likelihood
    }
}

/// The scripts that encodings tell apart.
enum Script {
    case latin, cyrillic, greek, hebrew, arabic, thai, kana, hangul, han, other

    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x41...0x24F, 0x300...0x36F, 0x1E00...0x1EFF: self = .latin
        case 0x370...0x3FF: self = .greek
        case 0x400...0x52F: self = .cyrillic
        case 0x590...0x5FF: self = .hebrew
        case 0x600...0x6FF: self = .arabic
        case 0xE00...0xE7F: self = .thai
        case 0x3040...0x30FF, 0xFF66...0xFF9F: self = .kana
        case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7A3: self = .hangul
        case 0x3400...0x9FFF, 0xF900...0xFAFF, 0x3005: self = .han
        default: self = .other
        }
    }
}
