import Foundation
import Syntax
import TestSupport
import Testing

@testable import Books
@testable import Contract
@testable import Jobs
@testable import Queries
@testable import Services
@testable import Store
@testable import System
@testable import Vectors

@Suite struct SimilarBooksTests {
    private let store: FilledStore

    /// - Throws: If there is no folder for temporary files.
    init() async throws {
        store = try FilledStore()
        try await store.importing([TopicLibrary.export()], job: "first")
        try await embed()
    }

    private func embed() async throws {
        let model = try TinyModel.write(to: store.folder.file("model"))
        _ = try await StoreEmbedding(of: store.path, from: .file(model), ServiceSettings()).run()
    }

    private func titles(_ name: String, _ limit: Int = 3) throws -> [String] {
        try SimilarBooks(store.path).find(BookReference(name), atMost: limit).books.map(\.book.work.title)
    }

    private func message(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? ETLError)?.message
        }
    }

    @Test func `books about the same come first, and parts of the book itself are left out`() throws {
        #expect(try Set(titles("9780000000019", 2)) == ["Magic of the Elf Sword", "Fantasy Wizard"])
        #expect(try titles("9780000000057", 1) == ["A Mystery Crime"])
        let all = try titles("The Dragon and the Wizard", 100)
        #expect(all.count == 8 && !all.contains { $0.hasPrefix("The Dragon") })
    }

    @Test func `a hit says what the books share`() throws {
        let answer = try SimilarBooks(store.path).find(BookReference("9780000000057"), atMost: 1)
        let hit = try #require(answer.books.first)
        #expect(hit.shared.authors == ["Dan Dill"] && hit.shared.era == "1934–1936" && hit.isInLibrary)
        #expect(hit.shared.sentence == "same author; 1934–1936")
        #expect(answer.asked.work.title == "Murder and the Detective")
        #expect(String(decoding: hit.json, as: UTF8.self).contains("\"inLibrary\":true"))
    }

    @Test func `a book that is unknown, or has no vector yet, is told apart`() async throws {
        #expect(
            await message { _ = try titles("9780306406157") }?.hasPrefix("No book in the store") == true)
        let row = "11,Love and a Wedding,Ida Iris,9780000000118,4,2020/01/11,read,1999"
        try await store.importing([TopicLibrary.export([row])], job: "second")
        #expect(
            await message { _ = try titles("9780000000118") }
                == "This book has no vector yet.")
        try FileManager.default.removeItem(atPath: store.path + ".vectors")
        #expect(
            await message { _ = try titles("9780000000057") }
                == "The store has no vectors yet.")
    }

    @Test func `vectors of a store whose works have other numbers now belong to no book`() async throws {
        let kept = try Data(contentsOf: URL(fileURLWithPath: store.path + ".vectors"))
        let other = try FilledStore()
        try await other.importing([TopicLibrary.export(TopicLibrary.rows.reversed())], job: "first")
        try kept.write(to: URL(fileURLWithPath: other.path + ".vectors"))
        let found = await message {
            _ = try SimilarBooks(other.path).find(BookReference("9780000000019"), atMost: 3)
        }
        #expect(found == "This book has no vector yet.")
    }

    @Test(arguments: [
        ("quiet grief", "Quiet Grief by the Sea of Japan"), ("a robot in space", "Space Robot"),
        ("war of the king", "War of the King"), ("loss and memory", "Quiet Grief by the Sea of Japan"),
    ])
    func `a question finds books by words and by meaning`(question: String, title: String) async throws {
        let embedder = QueryEmbedder(store.path, nil, ServiceSettings())
        let query = try await embedder.vector(of: question)
        let found = try await BookSearch(store: store.path, catalogs: []).find(.meaning(question, query))
        #expect(found.first?.work.title == title)
    }

    @Test func `a question of another model is refused`() async throws {
        let other = VectorModel(name: "other", revision: "1", dimension: 40, source: "x")
        let query = QueryVector(model: other, numbers: [Float](repeating: 0, count: 40))
        let found = await message {
            _ = try await BookSearch(store: store.path, catalogs: []).find(.meaning("war", query))
        }
        #expect(
            found
                == "The store's vectors are of the model tiny, and the query's vector is of the model other.")
        try TinyModel.write(
            to: store.folder.file("model"), table: TinyModel.table(TinyModel.vectors.map { $0.reversed() }))
        let changed = await message {
            _ = try await QueryEmbedder(store.path, nil, ServiceSettings()).vector(of: "war")
        }
        #expect(changed?.contains("has changed since") == true)
    }

    @Test func `ranks are fused: high in two lists is better than high in one`() {
        var fusion = RankFusion()
        for key in ["a", "b", "c"] { fusion.add(key) }
        fusion.beginList()
        for key in ["d", "b", "a"] { fusion.add(key) }
        #expect(fusion.ranked.map(\.key) == ["a", "b", "d", "c"])
    }
}
