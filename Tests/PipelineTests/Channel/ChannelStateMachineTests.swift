import Testing

@testable import Pipeline

/// Sequences of events and the actions they must cause.
@Suite struct ChannelStateMachineTests {
    typealias Machine = ChannelStateMachine<String, Int, Int>

    @Test func `offers are accepted while there is room and taken in order`() {
        var machine = Machine(capacity: 2, weightLimit: 100)
        #expect(machine.offer("a", weight: 1).isAccepted)
        #expect(machine.offer("b", weight: 1).isAccepted)
        #expect(machine.depth == 2)
        #expect(machine.take().element == "a")
        #expect(machine.take().element == "b")
        #expect(machine.take().isEmpty)
    }

    @Test func `a full channel makes a producer wait until an element is taken`() {
        var machine = Machine(capacity: 1, weightLimit: 100)
        #expect(machine.offer("a", weight: 1).isAccepted)
        #expect(machine.offer("b", weight: 1).isFull)
        #expect(machine.wait(offering: "b", weight: 1, as: 7).isWaiting)
        let taken = machine.take()
        #expect(taken.element == "a")
        #expect(taken.woken == [7])
        #expect(machine.take().element == "b")
    }

    @Test func `a producer cannot overtake a waiting one`() {
        var machine = Machine(capacity: 1, weightLimit: 100)
        _ = machine.offer("a", weight: 1)
        _ = machine.wait(offering: "b", weight: 1, as: 1)
        #expect(machine.offer("c", weight: 1).isFull)
        _ = machine.wait(offering: "c", weight: 1, as: 2)
        #expect(machine.take().element == "a")
        #expect(machine.take().element == "b")
        #expect(machine.take().element == "c")
    }

    @Test func `an offer goes directly to a waiting consumer`() {
        var machine = Machine(capacity: 1, weightLimit: 100)
        #expect(machine.wait(toTakeAs: 3).isWaiting)
        let action = machine.offer("a", weight: 1)
        #expect(action.handedOver?.0 == 3)
        #expect(action.handedOver?.1 == "a")
        #expect(machine.depth == 0)
    }

    @Test func `weight bounds the channel, but a heavier element is accepted if it is alone`() {
        var machine = Machine(capacity: 10, weightLimit: 10)
        #expect(machine.offer("giant", weight: 1_000).isAccepted)
        #expect(machine.offer("small", weight: 1).isFull)
        #expect(machine.take().element == "giant")
        #expect(machine.offer("six", weight: 6).isAccepted)
        #expect(machine.offer("five", weight: 5).isFull)
        #expect(machine.offer("four", weight: 4).isAccepted)
    }

    @Test func `taking a heavy element wakes several producers`() {
        var machine = Machine(capacity: 10, weightLimit: 10)
        _ = machine.offer("heavy", weight: 10)
        for producer in 1...3 { _ = machine.wait(offering: "p\(producer)", weight: 3, as: producer) }
        let taken = machine.take()
        #expect(taken.element == "heavy")
        #expect(taken.woken == [1, 2, 3])
    }

    @Test func `after finish the remaining elements can be taken, then the end is reported`() {
        var machine = Machine(capacity: 2, weightLimit: 100)
        _ = machine.offer("a", weight: 1)
        #expect(machine.finish().isEmpty)
        #expect(machine.offer("b", weight: 1).isClosed)
        #expect(machine.take().element == "a")
        #expect(machine.take().isFinished)
    }

    @Test func `finish wakes waiting consumers`() {
        var machine = Machine(capacity: 2, weightLimit: 100)
        _ = machine.wait(toTakeAs: 1)
        _ = machine.wait(toTakeAs: 2)
        #expect(machine.finish() == [1, 2])
        #expect(machine.finish().isEmpty)
    }

    @Test func `cancel drops all elements and wakes all waiters`() {
        var machine = Machine(capacity: 1, weightLimit: 100)
        _ = machine.offer("a", weight: 1)
        _ = machine.wait(offering: "b", weight: 1, as: 5)
        let waiters = machine.cancel()
        #expect(waiters.producers == [5])
        #expect(machine.take().isFinished)
        #expect(machine.offer("c", weight: 1).isClosed)
    }
}

extension ChannelStateMachine.OfferAction {
    var isAccepted: Bool { if case .accepted = self { true } else { false } }
    var isFull: Bool { if case .full = self { true } else { false } }
    var isClosed: Bool { if case .closed = self { true } else { false } }
    var handedOver: (Consumer, Element)? {
        if case .handOver(let who, let what) = self { (who, what) } else { nil }
    }
}

extension ChannelStateMachine.TakeAction {
    var element: Element? { if case .element(let element, _) = self { element } else { nil } }
    var woken: [Producer] { if case .element(_, let woken) = self { woken } else { [] } }
    var isEmpty: Bool { if case .empty = self { true } else { false } }
    var isFinished: Bool { if case .finished = self { true } else { false } }
}

extension ChannelStateMachine.WaitToOfferAction {
    var isWaiting: Bool { if case .waiting = self { true } else { false } }
}

extension ChannelStateMachine.WaitToTakeAction {
    var isWaiting: Bool { if case .waiting = self { true } else { false } }
}

@Suite struct RingBufferTests {
    @Test func `elements come out in order across growth and wrap-around`() {
        var buffer = RingBuffer<Int>()
        var model: [Int] = []
        for number in 0..<1_000 {
            buffer.append(number)
            model.append(number)
            if number % 3 != 0 { #expect(buffer.popFirst() == model.removeFirst()) }
            #expect(buffer.count == model.count)
            #expect(buffer.first == model.first)
        }
        while let taken = buffer.popFirst() { #expect(taken == model.removeFirst()) }
        #expect(model.isEmpty && buffer.isEmpty)
    }

    @Test func `an empty buffer has no element`() {
        var buffer = RingBuffer<Int>()
        #expect(buffer.popFirst() == nil)
        #expect(buffer.first == nil)
    }
}
