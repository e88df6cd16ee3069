import Books
import System
import Testing

@testable import Services

@Suite struct BatchHalvingTests {
    private static func keys(_ count: Int) -> [ServiceKey] { (0..<count).map { ServiceKey(.isbn, "\($0)") } }

    /// Sends the parts of a batch.
    ///
    /// - Parameter isRefused: Whether the service refuses a part.
    /// - Returns: The parts, and those that were answered.
    private static func send(
        _ halving: inout BatchHalving, refusedIf isRefused: ([ServiceKey]) -> Bool
    ) -> (sent: [[ServiceKey]], answered: [ServiceKey]) {
        var sent: [[ServiceKey]] = []
        var answered: [ServiceKey] = []
        while let part = halving.next() {
            sent.append(part)
            if isRefused(part) {
                halving.noteRefused(part)
            } else {
                answered += part
                halving.noteAnswered()
            }
        }
        return (sent, answered)
    }

    @Test func `a batch that is answered is one request`() {
        var halving = BatchHalving(Self.keys(50))
        let (sent, answered) = Self.send(&halving) { _ in false }
        #expect(sent == [Self.keys(50)] && answered == Self.keys(50))
        #expect(halving.refused.isEmpty && halving.rest.isEmpty && halving.hasAnswers)
        var empty = BatchHalving([])
        #expect(empty.next() == nil)
    }

    @Test func `one refused key is found in every batch, and all others are answered`() {
        for count in 1...130 {
            let keys = Self.keys(count)
            for bad in keys {
                var halving = BatchHalving(keys)
                let (sent, answered) = Self.send(&halving) { $0.contains(bad) }
                #expect(halving.refused == [bad] && halving.rest.isEmpty, "\(bad.text) of \(count)")
                #expect(answered == keys.filter { $0 != bad })
                #expect(sent.count <= BatchHalving.requestLimit(for: count))
                #expect(halving.hasAnswers == (count > 1))
            }
        }
    }

    @Test func `fifty keys cost at most twelve requests, whatever is refused`() {
        #expect(BatchHalving.requestLimit(for: 50) == 12)
        let keys = Self.keys(50)
        for step in 1...50 {
            let bad = Set(stride(from: 0, to: 50, by: step).map { keys[$0] })
            var halving = BatchHalving(keys)
            let (sent, answered) = Self.send(&halving) { !bad.isDisjoint(with: $0) }
            #expect(sent.count <= 12)
            #expect(Set(sent).count == sent.count)
            // Every key is answered, refused alone, or left.
            let all = answered + halving.refused + halving.rest
            #expect(all.map(\.text).sorted() == keys.map(\.text).sorted())
            #expect(bad.isSuperset(of: halving.refused))
        }
    }

    @Test func `a service that accepts smaller batches gets them`() {
        var halving = BatchHalving(Self.keys(50))
        let (_, answered) = Self.send(&halving) { $0.count > 25 }
        #expect(answered == Self.keys(50))
        #expect(halving.refused.isEmpty && halving.rest.isEmpty)
    }

    @Test func `a part that is left open is not halved, and says nothing about the rest`() {
        let keys = Self.keys(4)
        var halving = BatchHalving(keys)
        #expect(halving.next() == keys)
        halving.noteRefused(keys)
        #expect(halving.next() == Array(keys[..<2]))
        halving.noteOpen()
        #expect(halving.next() == Array(keys[2...]))
        halving.noteAnswered()
        #expect(halving.next() == nil)
        #expect(halving.refused.isEmpty && halving.rest.isEmpty && halving.hasAnswers)
    }

    @Test func `only the keys without an answer are halved`() {
        let keys = Self.keys(4)
        var halving = BatchHalving(keys)
        _ = halving.next()
        halving.noteRefused([keys[3]])
        #expect(halving.next() == nil)
        #expect(halving.refused == [keys[3]])
    }
}
