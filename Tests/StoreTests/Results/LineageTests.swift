import Books
import Testing

@testable import Store

@Suite struct LineageTests {
    private typealias Origin = Lineage.Origin

    @Test func `a list with several sources has an origin for each element`() {
        var lineage = Lineage()
        lineage.set(.title, from: .candidate(4), by: .given)
        let elements = [
            Origin(.candidate(4), .union), Origin(.entry(3), .filledFromRow), Origin(.candidate(5), .union),
        ]
        lineage.set(.subject, elements: elements)
        lineage.set(.workKey, from: .candidate(4), by: .given)
        let read = Lineage(decoding: lineage.encoded())
        #expect(read == lineage)
        #expect(read.origins(of: .subject, count: 3) == elements)
        #expect(read.origin(of: .subject)?.source == .candidate(4))
        #expect(read.origin(of: .title)?.source == .candidate(4))
        #expect(read.items.map(\.field) == [.workKey, .title, .subject, .subject, .subject])
        // A list that has changed otherwise has the first one's origin.
        #expect(read.origins(of: .subject, count: 2) == [elements[0], elements[0]])
        #expect(read.origins(of: .genre, count: 2) == [])
    }

    @Test func `a list with one source has one item, and so has one with too many`() {
        var lineage = Lineage()
        lineage.set(.subject, elements: Array(repeating: Origin(.entry(3), .given), count: 9))
        #expect(lineage.items.count == 1)
        lineage.set(.subject, elements: (1...20).map { Origin(.entry(Int64($0)), .given) })
        #expect(lineage.items.count == 1)
        #expect(lineage.origin(of: .subject)?.source == .entry(1))
    }

    @Test func `decisions about a list go by its first element`() {
        var lineage = Lineage()
        lineage.set(
            .authorName, elements: [Origin(.candidate(2), .given), Origin(.entry(1), .filledFromRow)])
        lineage.set(.genre, elements: [Origin(.user, .edited), Origin(.entry(1), .filledFromRow)])
        let fields = lineage.encoded().withUnsafeBytes { LineageFields(stored: $0) }
        #expect(fields.known.contains(.authorName) && !fields.fromEntry.contains(.authorName))
        #expect(!fields.known.contains(.genre) && !fields.fromEntry.contains(.genre))
    }
}
