import Bytes

/// Roles as files state them. The table is `roles.tsv`.
extension ContributorRole {
    /// The role that words name, ignoring case: `Translator`, `Übersetzer`, `Trad.`, `Author, Illustrator`; nil
    /// if any of them is unknown. Of several roles, the author's counts, otherwise the first.
    package init?(word bytes: UnsafeRawBufferPointer) {
        let trimmed = bytes.trimmedBlanks
        guard !trimmed.isEmpty, trimmed.count <= Self.longestWords else { return nil }
        let text = String(decoding: bytes[trimmed], as: UTF8.self).lowercased()
        if let known = Self.words.role(of: text) {
            self = known
            return
        }
        let parts = text.replacing(" and ", with: ",").split {
            $0 == "," || $0 == "/" || $0 == "&" || $0 == ";"
        }
        let roles = parts.map { Self.words.role(of: String($0)) }
        guard roles.count > 1, let first = roles.first ?? nil, !roles.contains(nil) else { return nil }
        self = roles.contains(.author) ? .author : first
    }

    /// The same for a string.
    package init?(word: some StringProtocol) {
        var word = String(word)
        guard let role = word.withUTF8({ ContributorRole(word: UnsafeRawBufferPointer($0)) }) else {
            return nil
        }
        self = role
    }

    /// The role that a phrase at the beginning of a name states, and the name after it: `illustrated by Jane Doe`,
    /// `Translator: Jane Doe`, `(translator) Jane Doe`.
    static func leading(_ name: String) -> (role: ContributorRole, name: Substring)? {
        if let first = name.first, first == "(" || first == "[",
            let close = name.firstIndex(of: first == "(" ? ")" : "]")
        {
            let rest = name[name.index(after: close)...].drop(while: \.isWhitespace)
            if let role = ContributorRole(word: name[..<close].dropFirst()), !rest.isEmpty {
                return (role, rest)
            }
        }
        if let colon = name.firstIndex(of: ":") {
            let rest = name[name.index(after: colon)...].drop(while: \.isWhitespace)
            if let role = ContributorRole(word: name[..<colon]), !rest.isEmpty { return (role, rest) }
        }
        let lowered = name.lowercased()
        for (phrase, role) in words.phrases where lowered.hasPrefix(phrase) {
            // Lower-casing may change the number of characters of a name, but not of these phrases.
            let rest = name.dropFirst(phrase.count)
            if !rest.isEmpty { return (role, rest) }
        }
        return nil
    }

    /// Whether a phrase states a role wherever it is. `by` and `with` also follow names in other senses.
    static func isDistinctive(phrase: Substring) -> Bool {
        phrase.contains(".") || phrase.contains(":") || phrase.dropLast().contains(" ")
    }

    /// The words that begin phrases that state a role before a name, each as its last eight bytes in lower case.
    static var leadingWords: Set<UInt64> { words.leads }

    /// Whether a text may begin with a word for a role, as far as its first letters show.
    static func mayBegin(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Other letters than ASCII have two cases too.
        bytes.prefix(3).contains { $0 >= 0x80 } || words.firstLetters.contains(RoleWords.firstLetters(bytes))
    }

    /// Bytes of the longest text that may be roles.
    private static let longestWords = 80

    private static let words = RoleWords()
}

/// The words for the roles of people.
private struct RoleWords: Sendable {
    private var whole: [String: ContributorRole] = [:]
    private var beginnings: [(text: String, role: ContributorRole)] = []
    /// Phrases before a name, with their last blank.
    private(set) var phrases: [(text: String, role: ContributorRole)] = []
    /// The last eight bytes of each phrase's first word.
    private(set) var leads: Set<UInt64> = []
    /// The first three letters of each word.
    private(set) var firstLetters: Set<UInt32> = []

    /// The first three letters of a text in lower case. Anything but a letter ends them.
    static func firstLetters(_ text: some Sequence<UInt8>) -> UInt32 {
        var (letters, count) = (0 as UInt32, 0)
        for byte in text where count < 3 {
            let lower = byte.lowered
            guard lower >= 0x80 || lower &- UInt8(ascii: "a") < 26 else { break }
            letters = letters << 8 | UInt32(lower)
            count += 1
        }
        return letters
    }

    init() {
        PackageResources.roles_tsv.withUnsafeBytes { table in
            for line in TableLines(table) {
                let name = String(decoding: line.field(0), as: UTF8.self)
                guard let role = ContributorRole.allCases.first(where: { String(describing: $0) == name })
                else {
                    continue
                }
                for item in line.items(1) {
                    let word = String(decoding: item, as: UTF8.self)
                    firstLetters.insert(Self.firstLetters(item))
                    if word.hasSuffix("*") {
                        beginnings.append((String(word.dropLast()), role))
                    } else {
                        whole[word] = role
                    }
                }
                for item in line.items(2) where !item.isEmpty {
                    phrases.append((String(decoding: item, as: UTF8.self) + " ", role))
                    leads.insert(UInt64(word: item.prefix { $0 != 0x20 }))
                }
            }
        }
    }

    /// The role of one word or phrase in lower case.
    func role(of word: String) -> ContributorRole? {
        var bare = Substring(word)
        while let last = bare.last, last == "." || last.isWhitespace || last == ":" { bare.removeLast() }
        while let first = bare.first, first.isWhitespace { bare.removeFirst() }
        if let role = whole[String(bare)] { return role }
        return beginnings.first { bare.hasPrefix($0.text) }?.role
    }
}
