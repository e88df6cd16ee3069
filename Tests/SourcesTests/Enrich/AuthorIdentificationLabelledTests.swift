import Foundation
import TestSupport
import Testing

@testable import Bytes
@testable import Sources

/// Checks the identification of authors with the namesakes in `Tests/Labelled`: never a wrong person.
@Suite struct AuthorIdentificationLabelledTests {
    private struct Query {
        var author: AuthorIdentification.Author
        var expected: Set<String>
        var words: String
    }

    private static let people: [PersonFacts] = LabelledTable("people.tsv").rows.map { row in
        let kind: PersonFacts.Kind =
            row["kind"] == "human" ? .human : row["kind"] == "pseudonym" ? .pseudonym : .other
        var person = PersonFacts(item: UInt32(row["id"]) ?? 0, kind: kind)
        person.label = row["name"]
        person.aliases = row["aliases"].split(separator: ";").map(String.init)
        person.birthYear = Int32(row["birth"])
        person.deathYear = Int32(row["death"])
        person.titles = row["titles"].split(separator: ";").map(String.init)
        person.openLibraryKeys = row["openlibrary"].isEmpty ? [] : [row["openlibrary"]]
        person.viaf = row["viaf"].isEmpty ? [] : [row["viaf"]]
        return person
    }

    private static let queries: [Query] = LabelledTable("people_questions.tsv").rows.map { row in
        func value(_ name: String) -> String? { row[name].isEmpty ? nil : row[name] }
        var query = PersonQuery(
            authorKey: value("openlibrary"), foldedName: Array(Folding.fold(row["name"]).utf8))
        query.hasTitle = value("title") != nil
        return Query(
            author: AuthorIdentification.Author(
                query, birthYear: Int32(row["birth"]), deathYear: Int32(row["death"]), viaf: value("viaf"),
                title: value("title")),
            expected: Set(row["expected"].split(separator: "/").map(String.init)),
            words: "\(row["name"]) \(row["birth"])–\(row["death"]) “\(row["title"])”")
    }

    private static func decide(_ query: Query) async throws -> String {
        let found = try await PeopleList(people).find([query.author.query]).people
        let decision = AuthorIdentification.decide(query.author, among: found[0])
        return decision.person.map { "\($0.item)" } ?? "-"
    }

    @Test func `no wrong person is chosen, and no more authors stay unidentified than before`() async throws {
        #expect(Self.queries.count >= 100)
        var (wrong, open, answerable) = ([String](), [String](), 0)
        for query in Self.queries {
            let decided = try await Self.decide(query)
            if decided != "-", !query.expected.contains(decided) {
                wrong.append("\(query.words): \(decided), not \(query.expected)")
            }
            guard !query.expected.contains("-") else { continue }
            answerable += 1
            if decided == "-" { open.append(query.words) }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
        #expect(open.count <= 3, "\(open.count) of \(answerable): \(open.joined(separator: "\n"))")
    }
}
