package import Books

/// Texts that name people, as files and services write them, and the people (`names/etl_names.tsv`).
package struct NameCase: Sendable, CustomStringConvertible {
    package let text: String
    /// The names in reading order, with the roles that the text states.
    package let people: [PeopleCell.Named]

    package var description: String { text }

    /// All cases.
    package static let all: [NameCase] = {
        let bytes = (try? TestFiles.bytes("names/etl_names.tsv")) ?? []
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.first != "#" }
        return lines.map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let people = fields[1] == "(nobody)" ? [] : fields[1].split(separator: "|").map(named)
            return NameCase(text: fields[0], people: people)
        }
    }()

    private static func named(_ text: Substring) -> PeopleCell.Named {
        let text = text.trimmingPrefix(while: \.isWhitespace)
        let name = String(text.prefix { $0 != "(" }).trimmingBlanks
        let role = text.dropFirst(text.prefix { $0 != "(" }.count).dropFirst().prefix { $0 != ")" }
        return PeopleCell.Named(name: name, role: role.isEmpty ? nil : ContributorRole(word: role))
    }
}
