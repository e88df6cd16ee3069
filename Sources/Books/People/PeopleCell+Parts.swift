import Bytes

/// The parts of a text that names people.
extension PeopleCell {
    /// Whether `Le Guin` and `Ursula K.` are one inverted name rather than two people.
    static func isInverted(_ family: String, _ given: String) -> Bool {
        let (family, given) = (NameWords(family), NameWords(given))
        guard family.isFullName, given.isFullName else { return true }
        return family.beginsWithParticle || given.endsWithInitial
    }

    /// Whether two parts at a comma can be a family name and given names. After a full name and a comma without a
    /// blank (`Jane Smith,Bo`), what follows may be anything.
    static func mayBeInverted(_ family: String, _ given: String, in text: String) -> Bool {
        let parts = [family, given]
        let (family, given) = (NameWords(family), NameWords(given))
        if given.endsOpen { return true }
        guard family.isName, given.isName, !parts.contains(where: { $0.contains(where: \.isASCIIDigit) })
        else {
            return false
        }
        return !family.isFullName || family.beginsWithParticle || given.endsWithInitial || text.contains(", ")
    }

    /// The parts of a text at commas, each with the suffixes after it, as `Jr.`: ` Jr.`
    func parts(_ text: String) -> [(name: String, suffixes: String)] {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { bytes in
            NameParts(bytes, order).parts.map { part in
                let suffixes = part.suffixes.map { " " + String(decoding: bytes[$0], as: UTF8.self) }
                return (String(decoding: bytes[part.name], as: UTF8.self), suffixes.joined())
            }
        }
    }

    /// The same parts as they stand in the text.
    func commaParts(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { bytes in
            NameParts(bytes, order).parts.map { part in
                let end = part.suffixes.last?.upperBound ?? part.name.upperBound
                return String(decoding: bytes[part.name.lowerBound..<end], as: UTF8.self)
            }
        }
    }

    /// Trimmed parts that are not empty, split outside of brackets.
    static func split(_ text: String, where separates: (Character) -> Bool) -> [String] {
        var depth = 0
        let parts = text.split { character in
            if character == "(" || character == "[" { depth += 1 }
            if character == ")" || character == "]" { depth = max(0, depth - 1) }
            return depth == 0 && separates(character)
        }
        return parts.map { String($0).trimmingBlanks }.filter { !$0.isEmpty }
    }

    /// Trimmed parts at a joint, in any case. A comma before it belongs to it.
    static func split(_ text: String, at joint: String) -> [String] {
        let (bytes, wanted) = (Array(text.utf8), Array(joint.utf8))
        var parts: [String] = []
        var (start, at) = (0, 0)
        while at + wanted.count <= bytes.count {
            if bytes[at..<at + wanted.count].elementsEqual(wanted, by: { $0.lowered == $1 }) {
                parts.append(String(decoding: bytes[start..<at], as: UTF8.self))
                at += wanted.count
                start = at
            } else {
                at += 1
            }
        }
        parts.append(String(decoding: bytes[start...], as: UTF8.self))
        return parts.map { part in
            var bare = part.trimmingBlanks
            while bare.last == "," { bare = String(bare.dropLast()).trimmingBlanks }
            return bare
        }.filter { !$0.isEmpty }
    }
}
