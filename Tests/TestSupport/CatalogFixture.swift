package import Books
package import Bytes
package import Sources
package import System

/// A catalog built from lines in a test.
package struct CatalogFixture {
    package let folder: TemporaryFolder
    package let report: CatalogBuildReport
    package let catalog: Catalog
    package var path: String { folder.file("catalog.sqlite") }

    package init(_ lines: [String]) async throws {
        folder = try TemporaryFolder()
        report = try await BuiltCatalogs.copy(ofLines: lines, to: folder.file("catalog.sqlite"))
        catalog = try Catalog(folder.file("catalog.sqlite"))
    }

    package static func builder(_ folder: TemporaryFolder) throws -> CatalogBuilder {
        try CatalogBuilder(output: folder.file("catalog.sqlite"))
    }

    /// The catalog's answer for an ISBN.
    package func find(_ isbn: String) async throws -> Found {
        guard let isbn = ISBN(isbn) else {
            throw ETLError(.unusableInput, "`\(isbn)` is not a valid ISBN.")
        }
        return try await find(.isbn(isbn))
    }

    /// The catalog's answer for a title and an author.
    package func find(_ title: String, by author: String) async throws -> Found {
        var arena = Arena()
        let query = BookQueries.Query.described(
            BookDescription(title: arena.append(title), author: arena.append(author)))
        return try await find(query, arena)
    }

    /// The catalog's answer to a question.
    package func find(_ query: BookQueries.Query, _ arena: Arena = Arena()) async throws -> Found {
        let answers = try await catalog.answer(BookQueries(arena: arena, queries: [query]))
        return Found(answers, 0)
    }

    /// An answer with its texts as strings.
    package struct Found {
        package var outcome: LookupOutcome
        package var record: String
        package var isSynthetic: Bool
        /// The options of an undecided match.
        package var options: [ReviewCandidate]
        /// Certainty of a match by title and author.
        package var match: AcceptedMatch?
        private var values: [(field: Field, author: UInt8, text: String)]

        package init(_ answers: BookAnswers, _ number: Int) {
            let answer = answers.answers[number]
            outcome = answer.outcome
            record = answers.arena[answer.record]
            isSynthetic = answer.isSynthetic
            options = answers.options[number] ?? []
            match = answers.matches[number]
            values = answers.values[answer.values].map { ($0.field, $0.author, answers.arena[$0.value]) }
        }

        package subscript(_ field: Field, author author: UInt8 = 0) -> [String] {
            values.filter { $0.field == field && $0.author == author }.map(\.text)
        }

        package var authorNames: [String] { values.filter { $0.field == .authorName }.map(\.text) }
        package var fields: Set<Field> { Set(values.map(\.field)) }
    }
}

/// Lines of an Open Library dump.
package enum DumpFixture {
    package static func edition(_ number: Int, _ json: String = "", work: Int? = nil, revision: Int = 1)
        -> String
    {
        let works = work.map { #", "works": [{"key": "/works/OL\#($0)W"}]"# } ?? ""
        return line("edition", "/books/OL\(number)M", revision, json + works)
    }

    package static func work(_ number: Int, _ json: String, author: Int? = nil, revision: Int = 1) -> String {
        let authors = author.map {
            #", "authors": [{"type": {"key": "/type/author_role"}, "author": {"key": "/authors/OL\#($0)A"}}]"#
        }
        return line("work", "/works/OL\(number)W", revision, json + (authors ?? ""))
    }

    package static func author(_ number: Int, _ json: String, revision: Int = 1) -> String {
        line("author", "/authors/OL\(number)A", revision, json)
    }

    package static func redirect(_ from: String, to target: String, revision: Int = 9) -> String {
        line("redirect", from, revision, #""location": "\#(target)""#)
    }

    package static func delete(_ key: String, revision: Int = 9) -> String {
        line("delete", key, revision, "")
    }

    /// A valid ISBN-13 for each number.
    package static func isbn(_ number: Int) -> String {
        ISBN(twelve: 978_100_000_000 + Int64(number) * 7_919).isbn13
    }

    package static func line(_ type: String, _ key: String, _ revision: Int, _ json: String) -> String {
        let members = json.isEmpty || json.hasPrefix(",") ? json : ", " + json
        return "/type/\(type)\t\(key)\t\(revision)\t2024-01-02T00:00:00\t{\"key\": \"\(key)\"\(members)}"
    }
}
