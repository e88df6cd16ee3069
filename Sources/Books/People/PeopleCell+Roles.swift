import Bytes

/// The roles that a cell states with its people.
extension PeopleCell {
    /// A name without the roles after it: in brackets (`Ana Lee (Foreword) [Illustrator]`), after a dash (`Ana Lee -
    /// translator`), or after a comma (`Ana Lee, translator`). Brackets with anything else stay, except years of life and
    /// links.
    package static func withoutRoles(_ text: String) -> (name: String, role: ContributorRole?) {
        var name = text.trimmingBlanks
        var role: ContributorRole?
        while let last = name.last {
            if let opening = brackets[last] {
                guard let open = name.lastIndex(of: opening), open > name.startIndex else { break }
                let inside = String(name[name.index(after: open)...].dropLast())
                if let stated = ContributorRole(word: inside) {
                    role = stated == .author ? .author : role ?? stated
                } else if !areYears(inside), !isLink(inside) {
                    break
                }
                name = String(name[..<open]).trimmingBlanks
            } else if let (bare, stated) = beforeDash(name) ?? beforeComma(name) {
                role = stated == .author ? .author : role ?? stated
                name = bare
            } else {
                break
            }
        }
        if let within = withRoleInside(name) { return (within.name, role ?? within.role) }
        return (name, role)
    }

    /// `Silvio (translator) Levy`: a name with a role inside it.
    private static func withRoleInside(_ name: String) -> (name: String, role: ContributorRole)? {
        guard let close = name.lastIndex(where: { $0 == ")" || $0 == "]" }),
            let opening = brackets[name[close]],
            let open = name[..<close].lastIndex(of: opening), isInside(open, close, in: name[...]),
            let role = ContributorRole(word: name[name.index(after: open)..<close])
        else { return nil }
        return (
            "\(String(name[..<open]).trimmingBlanks) \(String(name[name.index(after: close)...]).trimmingBlanks)",
            role
        )
    }

    /// Whether a single word follows brackets, and what is before them is no whole name.
    private static func isInside(_ open: String.Index, _ close: String.Index, in text: Substring) -> Bool {
        let family = NameWords(String(text[text.index(after: close)...]))
        let given = NameWords(String(text[..<open]))
        return family.count == 1 && family.isName && given.isName
            && (given.count == 1 || given.endsWithInitial)
    }

    /// Whether brackets after a name contain the address of a page about the person, as Notion writes it.
    private static func isLink(_ text: String) -> Bool {
        text.contains("://") || text.hasPrefix("../") || text.hasSuffix(".md")
    }

    /// Whether a byte after a blank may begin a dash: `-`, `–`, `—`.
    static func mayBeginDash(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == 0xE2 }

    /// Cuts after each role in brackets that another name follows: `Bo Ek (Author) Ana Lee (Translator)`.
    static func cutAfterRoles(_ text: String) -> [String] {
        var parts: [String] = []
        var rest = text[...]
        var index = rest.startIndex
        while let close = rest[index...].firstIndex(where: { $0 == ")" || $0 == "]" }) {
            index = rest.index(after: close)
            let tail = rest[index...].drop(while: \.isWhitespace)
            guard let opening = brackets[rest[close]], let open = rest[..<close].lastIndex(of: opening),
                tail.first?.isUppercase == true, open > rest.startIndex, !isInside(open, close, in: rest),
                ContributorRole(word: rest[rest.index(after: open)..<close]) != nil
            else { continue }
            parts.append(String(rest[..<index]))
            (rest, index) = (tail, tail.startIndex)
        }
        return parts + [String(rest)]
    }

    /// Parts at commas, with each that is a role in brackets after the name before it: `Bo Ek, Ana Lee, illustrator`.
    static func withRolesAtNames(_ parts: [String]) -> [String] {
        guard parts.count > 2 else { return parts }
        var joined: [String] = []
        for part in parts {
            if let last = joined.last, role(part, after: last, .unknown) != nil {
                joined[joined.count - 1] = "\(last) (\(part))"
            } else {
                joined.append(part)
            }
        }
        return joined
    }

    private static let brackets: [Character: Character] = [")": "(", "]": "[", "}": "{", ">": "<"]
    private static let dashes: Set<Character> = ["-", "–", "—", "―", "/", ":"]

    /// The name before a dash or a colon and a role, and the role. A dash inside a name has no blank before it.
    private static func beforeDash(_ text: String) -> (name: String, role: ContributorRole)? {
        guard let dash = text.lastIndex(where: { dashes.contains($0) }), dash > text.startIndex,
            text[dash] == ":" || text[text.index(before: dash)].isWhitespace,
            let role = ContributorRole(word: text[text.index(after: dash)...])
        else { return nil }
        let name = String(text[..<dash]).trimmingBlanks
        return name.isEmpty ? nil : (name, role)
    }

    /// The full name before a comma and a role, and the role.
    private static func beforeComma(_ text: String) -> (name: String, role: ContributorRole)? {
        guard let comma = text.lastIndex(of: ",") else { return nil }
        let name = String(text[..<comma]).trimmingBlanks
        guard NameWords(name).isFullName,
            let role = role(
                String(text[text.index(after: comma)...]).trimmingBlanks, after: name, .familyFirst)
        else { return nil }
        return (name, role)
    }

    /// The role that a part after a comma states; nil if it may be the given name of the part before it: `Spiegelman,
    /// Art`, `McBain, Ed`.
    static func role(_ text: String, after before: String, _ order: NameOrder) -> ContributorRole? {
        guard !namesOrganization(text), let role = ContributorRole(word: text) else { return nil }
        let isFamily = order == .familyFirst || !NameWords(before).isFullName
        let mayBeGiven =
            text.count <= longestGivenRole && text.first?.isUppercase == true && text.last?.isLetter == true
        return isFamily && mayBeGiven ? nil : role
    }

    /// Whether a text begins with a word for a role and goes on with a name: `Editors of Haynes`.
    private static func namesOrganization(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        return zip(words, words.dropFirst()).contains { $0 == "of" && $1.first?.isUppercase == true }
    }

    /// Letters of the longest word for a role that is also a given name: `Story`.
    private static let longestGivenRole = 5

    /// `1947-`, `1947-2001`, `b. 1947`, `*1947`.
    static func areYears(_ text: String) -> Bool {
        let digits = text.count(where: \.isASCIIDigit)
        guard (3...8).contains(digits), text.count <= digits + 8 else { return false }
        return text.split { !$0.isLetter }.allSatisfy {
            ["b", "d", "born", "died", "c", "ca", "geb"].contains($0.lowercased())
        }
    }
}
