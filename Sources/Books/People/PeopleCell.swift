import Bytes

/// The people that one text names, however it separates them: a cell of a file, or a name in a service's answer.
///
/// `|`, `;` and line ends always separate. `,`, `&`, `and` and `/` occur inside names too (`Le Guin, Ursula K.`,
/// `Simon & Schuster`), so they separate only if each part is a name.
package struct PeopleCell {
    /// A person, the name in reading order.
    package struct Named: Sendable, Hashable {
        package var name: String
        /// Nil if the text does not state one.
        package var role: ContributorRole?

        package init(name: String, role: ContributorRole? = nil) {
            self.name = name
            self.role = role
        }
    }

    /// In the order of the text.
    package private(set) var people: [Named] = []
    /// Parts that stand for people who are not named, such as `Anon.`, and parts that are no names. Signs that mean
    /// nothing (`-`, `N/A`) are not among them.
    package private(set) var leftOut: [String] = []
    let order: NameOrder

    /// Reads the people of a text.
    package init(_ cell: String, _ order: NameOrder = .unknown) {
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

    /// Maximum number of people of a record. Candidates store an author's index in one byte.
    package static let maxPeople = 255
    /// One more than a record keeps, so that too many are noticed.
    private static let most = maxPeople + 1

    /// The only person of a text, in reading order and without a role; nil if it names several people or nobody. For
    /// records of one person.
    package static func single(_ name: String) -> String? {
        let people = PeopleCell(name).people
        return people.count == 1 ? people[0].name : nil
    }

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
        let parts = Self.withRolesAtNames(commaParts(text))
        guard parts.count > 1, let names = names(ofParts: parts) else { return addOne(text) }
        for name in names { addOne(name) }
    }

    /// A part without roles and suffixes.
    private func core(_ part: String) -> String { parts(Self.withoutRoles(part).name).first?.name ?? "" }

    /// The names that comma-separated parts are; nil if they are one name.
    private func names(ofParts parts: [String]) -> [String]? {
        if order == .readingOrder { return parts }
        let bare = parts.map { core($0) }
        // A role in brackets ends a name.
        let areEnded = parts.dropLast().contains { Self.withoutRoles($0).name != $0 }
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
        let parts = commaParts(text).map { core($0) }
        switch parts.count {
        case 0: return false
        case 1: return NameWords(parts[0]).isFullName
        case 2 where order != .readingOrder && NameWords(parts[0]).isName && NameWords(parts[1]).isName:
            return true
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
        var parts = parts(name)
        let count = parts.count
        // A role after a comma (`Jane Doe, illustrator`) and years of life (`King, Stephen, 1947-`).
        while parts.count > 1, let last = parts.last {
            if Self.areYears(last.name) {
                parts.removeLast()
            } else if let stated = Self.role(last.name, after: parts[parts.count - 2].name, order) {
                role = role ?? stated
                parts.removeLast()
            } else {
                break
            }
        }
        if parts.count == 2 {
            // Levy (translator), Silvio
            let family = Self.withoutRoles(parts[0].name)
            if let stated = family.role { (parts[0].name, role) = (family.name, role ?? stated) }
        }
        let isTurned =
            parts.count == 2
            && (order == .familyFirst || Self.mayBeInverted(parts[0].name, parts[1].name, in: name))
        // Two parts that are no inverted name stay as they are: turning them would invent a person.
        if isTurned {
            name = "\(parts[1].name) \(parts[0].name)\(parts[0].suffixes)\(parts[1].suffixes)"
        } else if count != 2 || parts.count != 2 || name.last == "," {
            name = parts.map { $0.name + $0.suffixes }.joined(separator: ", ")
        }
        if Self.isNobody(name) { return }
        // An equals sign is in objects written as text (`key=/authors/OL26320A`), and in no name.
        guard !name.dropFirst().contains("="), !Self.unnamed.contains(Self.letters(of: name)) else {
            return leftOut.append(text)
        }
        let person = Named(name: name, role: role)
        if !people.contains(where: { $0.name == name }) { people.append(person) }
    }

    /// Whether a text names nobody, as signs and the words of empty cells do.
    private static func isNobody(_ name: String) -> Bool {
        name.allSatisfy { $0.isWhitespace || placeholders.contains($0) }
            || others.contains(name.lowercased())
            || ["n/a", "n.a.", "none", "null"].contains(name.lowercased())
    }

    /// Signs that stand in empty cells. Others can be a name: `!!!`, `🦄`.
    private static let placeholders = Set("-–—―_.…?/*,;:()[]'\"")

    /// What stands for an author whom nobody knows, or for authors who are too many, without signs and in lower case.
    /// Words that catalogs use as a name (Anonymous, Various) stay names.
    private static let unnamed: Set = [
        "anon.", "anon", "aavv.", "aa.vv.", "aavv", "vvaa.", "vv.aa.", "s.n.", "n.n.",
    ]

    /// A text in lower case without blanks and brackets.
    private static func letters(of text: String) -> String {
        text.lowercased().filter { !$0.isWhitespace && $0 != "[" && $0 != "]" }
    }

    /// Whether a text is certainly a single name in reading order: nothing in it may separate names, state a role or
    /// stand for nobody.
    package static func isPlainName(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first, first >= UInt8(ascii: "A") else { return false }
        // What stands for nobody is short.
        if bytes.count <= 8, mayBeNobody(bytes) { return false }
        var word: UInt64 = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "&"),
                UInt8(ascii: "/"),
                UInt8(ascii: "+"), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "<"),
                UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                return false
            case _ where word == 0 && mayBeginDash(byte): return false
            case UInt8(ascii: " "):
                if mayBeNoName(word) { return false }
                word = 0
            default: word = word << 8 | UInt64(byte.lowered)
            }
        }
        return !mayBeNoName(word)
    }

    /// Whether a text of at most eight bytes may stand for nobody.
    private static func mayBeNobody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var word: UInt64 = 0
        for byte in bytes where byte != 0x20 {
            if byte == UInt8(ascii: ".") { return true }
            word = word << 8 | UInt64(byte.lowered)
        }
        return nobodyWords.contains(word)
    }

    private static let nobodyWords = Set(unnamed.union(["none", "null"]).map { UInt64(word: $0.utf8) })

    /// Separators of names.
    private static let joints: [(text: String, role: ContributorRole?)] = [
        (" with ", .contributor), (" and ", nil), (" & ", nil), (" und ", nil), (" et ", nil), (" en ", nil),
        (" y ", nil), (" / ", nil), ("/", nil), (" + ", nil),
    ]

    /// Placeholders for people who are not named.
    private static let others: Set = [
        "et al", "et al.", "and others", "others", "u. a.", "u.a.", "e altri", "y otros", "and more",
        "e outros",
        "et autres", "und andere", "en anderen", "e.a.", "m.fl.", "etc", "etc.", "y cols.", "& al.",
        "and al.",
        "& others",
    ]

    /// Whether a word, as its last eight bytes in lower case, may join two names, begin one of `others`, or begin a
    /// phrase that states a role.
    static func mayBeNoName(_ word: UInt64) -> Bool { wordsOfNoName.contains(word) }

    private static let wordsOfNoName = ContributorRole.leadingWords.union(
        (joints.map(\.text) + others).map { UInt64(word: $0.trimmingBlanks.utf8.prefix { $0 != 0x20 }) })

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

extension PackedRecordWriter {
    /// Appends the people of a book, numbered from 0 in the given order, and their roles. Those beyond
    /// ``PackedRecord/authorLimit`` are skipped.
    package mutating func append(people: [PeopleCell.Named]) {
        append(authorNames: people.map(\.name))
        for (number, person) in people.prefix(PackedRecord.authorLimit).enumerated() {
            guard let role = person.role, role != .author else { continue }
            append(.authorRole, author: UInt8(number), String(describing: role))
        }
    }
}

extension String {
    /// Without whitespace at both ends.
    package var trimmingBlanks: String {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}

extension Character {
    var isASCIIDigit: Bool { asciiValue.map { $0 &- 0x30 < 10 } ?? false }
}
