import Testing

@testable import Books

@Suite struct EntryPredictionTests {
    @Test func `the first record is guessed to be the first entry`() {
        #expect(EntryPrediction().guess == 0)
    }

    @Test func `behind an entry comes the next, whatever gap lies between`() {
        var order = EntryPrediction()
        for row: Int64 in [1, 2, 3, 515, 1_539] {
            order.note(row)
            #expect(order.guess == row)
        }
    }

    @Test func `after a miss nothing is guessed until entries follow each other again`() {
        var order = EntryPrediction()
        order.note(5)
        order.noteMiss()
        #expect(order.guess == nil)
        order.note(4_000)
        #expect(order.guess == nil)
        order.note(4_001)
        #expect(order.guess == 4_001)
    }

    @Test func `an export in the opposite order is not guessed at`() {
        var order = EntryPrediction()
        order.note(100)
        for row: Int64 in [99, 98, 97] {
            order.note(row)
            #expect(order.guess == nil)
        }
    }

    @Test func `an entry met again is not behind itself`() {
        var order = EntryPrediction()
        order.note(7)
        order.note(7)
        #expect(order.guess == nil)
    }
}
