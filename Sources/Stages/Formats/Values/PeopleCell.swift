import Books

/// The people that one cell names, however it separates them.
///
/// `|`, `;` and line ends always separate. `,`, `&`, `and` and `/` occur inside names too (`Le Guin, Ursula K.`,
/// `Simon & Schuster`), so they separate only if each part is a name. Formats whose lists are always written in
/// one way do not need this: see ``NameList``.
struct PeopleCell {
    /// A person, the name in reading order.
    struct Named: Hashable {
        var name: String
        /// Nil if the cell does not state one.
        var role: ContributorRole?
    }

    /// In the order of the cell.
    private(set) var people: [Named] = []
    private let order: NameOrder

    init(_ cell: String, _ order: NameOrder = .unknown) {
        self.order = order
        let text = cell.trimmingBlanks
        if let items = ListCell.items(text) {
            for item in items.prefix(Self.most) { addOne(item) }
            return
        }
        let parts = Self.split(text) { $0 == ";" || $0 == "|" || $0.isNewline }
        guard parts.count == 1 else {
            for part in parts.prefix(Self.most) { addOne(part) }
            return
        }
        // A longer text is not a few names. Looking for joints in it would cost time for nothing.
        if text.utf8.count <= Self.longest { add(text) } else { addOne(text) }
    }

    /// One more than a record keeps, so that too many are noticed.
    private static let most = LibraryRows.maxPeople + 1
    /// Bytes of a cell in which names may be joined by words or commas.
    private static let longest = 4_096

    /// Adds the people of a part without certain separators.
    private mutating func add(_ cell: String) {
        let text = Self.withoutOthers(cell)
        let stretches = Self.stretches(text)
        if stretches.count > 1 {
            for stretch in stretches { add(stretch) }
            return
        }
        if let leading = ContributorRole.leading(text) {
            let first = people.count
            add(String(leading.name).trimmingBlanks)
            for index in first..<people.count where people[index].role == nil {
                people[index].role = leading.role
            }
            return
        }
        for joint in Self.joints {
            let parts = Self.split(text, at: joint.text)
            if parts.count > 1, parts.allSatisfy({ isNameOrList($0) }) {
                for (number, part) in parts.enumerated() {
                    let first = people.count
                    add(part)
                    guard number > 0, let role = joint.role else { continue }
                    for index in first..<people.count where people[index].role == nil {
                        people[index].role = role
                    }
                }
                return
            }
        }
        let parts = Self.withRolesAtNames(Self.commaParts(text))
        guard parts.count > 1, let names = names(ofParts: parts) else { return addOne(text) }
        for name in names { addOne(name) }
    }

    /// The names that comma-separated parts are; nil if they are one name.
    private func names(ofParts parts: [String]) -> [String]? {
        let bare = parts.map { Self.withoutRoles($0).name }
        // A role in brackets ends a name.
        let areEnded = zip(parts, bare).dropLast().contains { $0 != $1 }
        if areEnded, bare.allSatisfy({ NameWords($0).isFullName }) { return parts }
        if parts.count == 2, order == .familyFirst || Self.isInverted(bare[0], bare[1]) { return nil }
        let full = bare.count { NameWords($0).isFullName }
        if full == parts.count { return parts }
        // King, Stephen, Straub, Peter
        if parts.count.isMultiple(of: 2), parts.count > 2 {
            let pairs = stride(from: 0, to: parts.count, by: 2).map { (parts[$0], parts[$0 + 1]) }
            let areInverted = pairs.allSatisfy {
                NameWords($0.0).count <= 2 && NameWords($0.1).count <= 3 && NameWords($0.0).isName
                    && NameWords($0.1).isName
            }
            if areInverted, full == 0 || order == .familyFirst { return pairs.map { "\($0.0), \($0.1)" } }
        }
        // Several people, some with one name only: Plato, Ana Lee, Bo Ek
        if parts.count > 2, full * 2 > parts.count, bare.allSatisfy({ NameWords($0).isName }) { return parts }
        return nil
    }

    /// Whether a part between joints is a name: full, inverted, or a list of full names.
    private func isNameOrList(_ text: String) -> Bool {
        let parts = Self.commaParts(text).map { Self.withoutRoles($0).name }
        switch parts.count {
        case 0: return false
        case 1: return NameWords(parts[0]).isFullName
        case 2 where NameWords(parts[0]).isName && NameWords(parts[1]).isName: return true
        default: return parts.allSatisfy { NameWords($0).isFullName }
        }
    }

    /// Adds one person, turning an inverted name.
    private mutating func addOne(_ text: String) {
        var (name, role) = Self.withoutRoles(text)
        if let leading = ContributorRole.leading(name) {
            name = String(leading.name).trimmingBlanks
            role = role ?? leading.role
        }
        var parts = Self.commaParts(name)
        // A role after a comma (`Jane Doe, illustrator`) and years of life (`King, Stephen, 1947-`).
        while parts.count > 1, let last = parts.last {
            if Self.areYears(last) {
                parts.removeLast()
            } else if let stated = Self.role(last, after: parts[parts.count - 2], order) {
                role = role ?? stated
                parts.removeLast()
            } else {
                break
            }
        }
        if parts.count == 2, order == .unknown, !Self.mayBeInverted(parts, in: name) {
            // Whatever it is, it is no inverted name, and turning it would invent a person.
            parts = [name]
        }
        name = parts.joined(separator: ", ")
        if parts.count == 2 {
            name = String(decoding: PersonName.readingOrder(Array(name.utf8)), as: UTF8.self)
        }
        // An equals sign is in objects written as text (`key=/authors/OL26320A`), and in no name.
        guard !name.isEmpty, !name.contains("="), !Self.others.contains(name.lowercased()) else { return }
        let person = Named(name: name, role: role)
        if !people.contains(where: { $0.name == name }) { people.append(person) }
    }

    /// Separators of names.
    private static let joints: [(text: String, role: ContributorRole?)] = [
        (" with ", .contributor), (" and ", nil), (" & ", nil), (" und ", nil), (" et ", nil), (" en ", nil),
        (" y ", nil), (" / ", nil), ("/", nil), (" + ", nil),
    ]

    /// Whether a word, as its last eight bytes in lower case, may join two names.
    static func isJoint(_ word: UInt64) -> Bool { jointWords.contains(word) }

    private static let jointWords = Set(
        joints.map { $0.text.utf8.filter { $0 != 0x20 }.reduce(0) { $0 << 8 | UInt64($1) } })

    /// Placeholders for people who are not named.
    private static let others: Set = [
        "et al", "et al.", "and others", "others", "u. a.", "u.a.", "e altri", "y otros", "and more",
        "e outros",
        "et autres", "und andere", "en anderen", "e.a.", "m.fl.", "etc", "etc.", "y cols.", "& al.",
        "and al.",
        "& others",
    ]

    /// Whether a word, as its last eight bytes in lower case, may begin one of `others`.
    static func mayStandForOthers(_ word: UInt64) -> Bool { otherWords.contains(word) }

    private static let otherWords = Set(
        others.map { $0.utf8.prefix { $0 != 0x20 }.reduce(0) { $0 << 8 | UInt64($1) } })

    /// A text without what stands for unnamed people at its end: `Jane Smith et al.`, `Jane Smith [u.a.]`.
    private static func withoutOthers(_ text: String) -> String {
        var bare = text.trimmingBlanks
        while let open = bare.lastIndex(where: { $0 == "[" || $0 == "(" }), open > bare.startIndex,
            bare.last == "]" || bare.last == ")",
            others.contains(bare[bare.index(after: open)...].dropLast().lowercased())
        {
            bare = String(bare[..<open]).trimmingBlanks
        }
        // Lower-casing may change the number of characters of a name, but not of these words.
        let lowered = bare.lowercased()
        let endings = others.filter { lowered.hasSuffix(" \($0)") || lowered.hasSuffix(",\($0)") }
        guard let found = endings.max(by: { $0.count < $1.count }) else { return bare }
        bare = String(bare.dropLast(found.count)).trimmingBlanks
        while bare.last == "," { bare = String(bare.dropLast()).trimmingBlanks }
        return bare
    }

    /// Parts of a text each of which begins with a phrase that states a role, except the first: `Roald Dahl, illus.
    /// Quentin Blake`, `Roald Dahl illustrated by Quentin Blake`.
    private static func stretches(_ text: String) -> [String] {
        var stretches: [String] = []
        for part in split(text, where: { $0 == "," }) {
            if let last = stretches.last, ContributorRole.leading(part) == nil {
                stretches[stretches.count - 1] = "\(last), \(part)"
            } else {
                stretches.append(part)
            }
        }
        return stretches.flatMap(cutAtPhrases).flatMap(cutAfterRoles)
    }

    /// Cuts before each phrase that follows a full name without a comma.
    private static func cutAtPhrases(_ text: String) -> [String] {
        var parts: [String] = []
        var rest = Substring(text)
        var index = rest.startIndex
        while let blank = rest[index...].firstIndex(of: " ") {
            index = rest.index(after: blank)
            let before = String(rest[..<blank])
            guard before.first?.isUppercase == true, NameWords(before).isFullName else { continue }
            let tail = String(rest[index...])
            guard let (_, name) = ContributorRole.leading(tail), NameWords(String(name)).isFullName,
                ContributorRole.isDistinctive(phrase: tail.dropLast(name.count))
            else { continue }
            parts.append(before)
            rest = rest[index...]
        }
        return parts + [String(rest)]
    }
}

extension PeopleCell {
    /// Whether `Le Guin` and `Ursula K.` are one inverted name rather than two people.
    private static func isInverted(_ family: String, _ given: String) -> Bool {
        let (family, given) = (NameWords(family), NameWords(given))
        guard family.isFullName, given.isFullName else { return true }
        return family.beginsWithParticle || given.endsWithInitial
    }

    /// Whether two parts at a comma can be a family name and given names. After a full name and a comma without a
    /// blank (`Jane Smith,Bo`), what follows may be anything.
    private static func mayBeInverted(_ parts: [String], in text: String) -> Bool {
        let (family, given) = (NameWords(parts[0]), NameWords(parts[1]))
        if given.endsOpen { return true }
        guard family.isName, given.isName, !parts.contains(where: { $0.contains(where: \.isASCIIDigit) })
        else {
            return false
        }
        return !family.isFullName || family.beginsWithParticle || given.endsWithInitial || text.contains(", ")
    }

    /// Parts at commas, not within brackets. A suffix such as `Jr.` stays with its name.
    private static func commaParts(_ text: String) -> [String] {
        var parts: [String] = []
        for part in split(text, where: { $0 == "," }) {
            let bytes = Array(part.utf8)
            let isSuffix = bytes.withUnsafeBytes { PersonName.isSuffix($0, 0..<$0.count) }
            if isSuffix, let last = parts.last {
                parts[parts.count - 1] = "\(last) \(part)"
            } else {
                parts.append(part)
            }
        }
        return parts
    }

    /// Trimmed parts that are not empty, split outside of brackets.
    private static func split(_ text: String, where separates: (Character) -> Bool) -> [String] {
        var depth = 0
        let parts = text.split { character in
            if character == "(" || character == "[" { depth += 1 }
            if character == ")" || character == "]" { depth = max(0, depth - 1) }
            return depth == 0 && separates(character)
        }
        return parts.map { String($0).trimmingBlanks }.filter { !$0.isEmpty }
    }

    /// Trimmed parts at a joint, in any case. A comma before it belongs to it.
    private static func split(_ text: String, at joint: String) -> [String] {
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

extension String {
    /// Without whitespace at both ends.
    var trimmingBlanks: String {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}

extension Character {
    var isASCIIDigit: Bool { asciiValue.map { $0 &- 0x30 < 10 } ?? false }
}

extension UInt8 {
    /// In lower case, if it is an ASCII letter.
    fileprivate var lowered: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}

/// The words of a possible name of a person.
struct NameWords {
    private let words: [Substring]

    init(_ name: String) { words = name.split(whereSeparator: \.isWhitespace) }

    var count: Int { words.count }

    /// Whether it may be a name of a person: a few words, none of them an organization's.
    var isName: Bool {
        (1...6).contains(words.count)
            && words.allSatisfy { word in
                let bare = word.lowercased().filter { $0 != "." && $0 != "," }
                return word.contains(where: \.isLetter) && word.first?.isASCIIDigit == false
                    && !Self.ofOrganizations.contains(bare)
            }
    }

    /// Whether it is a name of at least two words.
    var isFullName: Bool { words.count > 1 && isName }

    var beginsWithParticle: Bool { words.first.map { Self.particles.contains($0.lowercased()) } ?? false }

    /// Whether it ends with an initial: `Ursula K.`
    var endsWithInitial: Bool {
        guard let last = words.last else { return false }
        return last.count(where: \.isLetter) == 1 || last.split(separator: ".").allSatisfy { $0.count == 1 }
    }

    /// Whether it ends with a word that another must follow: `Duke of`, `The`.
    var endsOpen: Bool { words.last.map { ["of", "the"].contains($0.lowercased()) } ?? false }

    private static let particles: Set = [
        "le", "la", "les", "de", "del", "della", "di", "da", "dos", "du", "des", "d'", "van", "von", "den",
        "der",
        "ten", "ter", "vander", "zu", "zur", "al", "el", "bin", "ibn", "ben", "o'", "st.", "saint", "san",
        "santa",
    ]

    private static let ofOrganizations: Set = [
        "of", "the", "for", "inc", "ltd", "llc", "gmbh", "co", "corp", "company", "press", "books",
        "publishing",
        "publications", "publishers", "editors", "staff", "university", "college", "school", "institute",
        "institut",
        "association", "society", "committee", "council", "department", "ministry", "office", "museum",
        "church",
        "library", "group", "team", "center", "centre", "foundation", "verlag", "editions", "éditions",
        "magazine",
        "services", "international", "national", "studio", "studios", "productions", "entertainment",
    ]
}
