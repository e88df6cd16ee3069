import TestSupport
import Testing

@testable import Pipeline

/// Random legal operations compared with a minimal model: a list of sent elements and a list of received
/// ones.
@Suite struct ChannelModelTests {
    /// A seed that finds a bug is added here.
    @Test(arguments: [1, 2, 3, 5, 8, 13, 21, 34, 55, 89] as [UInt64])
    func `elements arrive once and in order, within the bounds`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let capacity = Int.random(in: 1...5, using: &random)
        let limit = Int.random(in: 5...20, using: &random)
        var machine = ChannelStateMachine<Int, Int, Int>(capacity: capacity, weightLimit: limit)
        var sent = 0
        var received: [Int] = []
        var waitingProducers: Set<Int> = []
        var waitingConsumers: Set<Int> = []
        var nextConsumer = 0

        func handle(_ action: ChannelStateMachine<Int, Int, Int>.OfferAction) {
            if let (consumer, element) = action.handedOver {
                #expect(waitingConsumers.remove(consumer) != nil)
                received.append(element)
            }
        }
        for _ in 0..<5_000 {
            if Bool.random(using: &random) {
                let weight = Int.random(in: 1...8, using: &random)
                let element = sent
                sent += 1
                let action = machine.offer(element, weight: weight)
                handle(action)
                if action.isFull {
                    #expect(waitingConsumers.isEmpty, "producers and consumers both wait")
                    if machine.wait(offering: element, weight: weight, as: element).isWaiting {
                        waitingProducers.insert(element)
                    }
                }
            } else {
                let action = machine.take()
                if let element = action.element { received.append(element) }
                for producer in action.woken { #expect(waitingProducers.remove(producer) != nil) }
                if action.isEmpty {
                    #expect(waitingProducers.isEmpty, "producers and consumers both wait")
                    nextConsumer += 1
                    if machine.wait(toTakeAs: nextConsumer).isWaiting {
                        waitingConsumers.insert(nextConsumer)
                    }
                }
            }
            #expect(machine.depth - waitingProducers.count <= capacity)
        }
        #expect(Set(machine.finish()) == waitingConsumers)
        while let element = machine.take().element { received.append(element) }
        #expect(received == Array(0..<sent))
    }

    @Test func `a channel with many senders and receivers loses nothing`() async {
        let channel = Channel<Int>(capacity: 3)
        let total = await withTaskGroup(of: Int.self) { group in
            for sender in 0..<4 {
                group.addTask {
                    for number in 0..<2_000 { _ = await channel.send(sender * 2_000 + number) }
                    return 0
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    var sum = 0
                    while let number = await channel.receive() { sum += number }
                    return sum
                }
            }
            // Senders return 0 and receivers their sum; the channel is closed after the last sender.
            var sum = 0
            var ended = 0
            for await part in group {
                sum += part
                ended += 1
                if ended == 4 { channel.finish() }
            }
            return sum
        }
        #expect(total == (0..<8_000).reduce(0, +))
    }

    @Test func `cancelling wakes a waiting sender and receiver`() async {
        let full = Channel<Int>(capacity: 1)
        #expect(await full.send(1))
        async let blocked = full.send(2)
        while full.depth < 2 { await Task.yield() }
        full.cancel()
        #expect(await blocked == false)
        #expect(await full.receive() == nil)
    }
}
