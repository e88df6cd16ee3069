/// The logic of a bounded channel, as a value without locks or tasks: events in, actions out.
///
/// The channel holds elements up to a maximum number and a maximum total weight. A producer that finds it
/// full waits with its element. A consumer that finds it empty waits. Producers and consumers never wait at
/// the same time. Elements leave in the order in which they were offered, including those of waiting
/// producers.
///
///     offer ──▶ [ waiting producers ] ──▶ [ buffer: ≤ capacity, ≤ weightLimit ] ──▶ take
///
/// An element heavier than the limit is accepted if the channel is empty. Otherwise it could never be sent.
///
/// - `Producer`, `Consumer`: What the caller needs to wake a waiting task: continuations in production,
///   numbers in tests.
struct ChannelStateMachine<Element: Sendable, Producer: Sendable, Consumer: Sendable>: Sendable {
    private enum Phase { case open, finished, cancelled }

    let capacity: Int
    let weightLimit: Int
    private var phase = Phase.open
    private var buffer = RingBuffer<(element: Element, weight: Int)>()
    private var bufferedWeight = 0
    private var producers = RingBuffer<(element: Element, weight: Int, producer: Producer)>()
    private var consumers = RingBuffer<Consumer>()

    /// Limits below 1 become 1.
    init(capacity: Int, weightLimit: Int) {
        self.capacity = max(1, capacity)
        self.weightLimit = max(1, weightLimit)
    }

    /// Number of elements that wait to be taken, including those of waiting producers.
    var depth: Int { buffer.count + producers.count }

    private func hasRoom(for weight: Int) -> Bool {
        buffer.isEmpty || (buffer.count < capacity && bufferedWeight + weight <= weightLimit)
    }

    // MARK: Offering

    enum OfferAction {
        /// The element was accepted; the producer continues.
        case accepted
        /// Pass the element to this waiting consumer; the producer continues.
        case handOver(Consumer, Element)
        /// The channel is full: the producer must wait, with ``wait(offering:weight:as:)``.
        case full
        /// The channel no longer accepts elements.
        case closed
    }

    mutating func offer(_ element: Element, weight: Int) -> OfferAction {
        guard phase == .open else { return .closed }
        if let consumer = consumers.popFirst() { return .handOver(consumer, element) }
        guard producers.isEmpty, hasRoom(for: weight) else { return .full }
        buffer.append((element, weight))
        bufferedWeight += weight
        return .accepted
    }

    enum WaitToOfferAction {
        case waiting
        /// There was room or a consumer after all, since the first call: carry out the action and continue.
        case go(OfferAction, Producer)
    }

    /// Registers a producer whose offer returned ``OfferAction/full``.
    mutating func wait(offering element: Element, weight: Int, as producer: Producer) -> WaitToOfferAction {
        switch offer(element, weight: weight) {
        case .full:
            producers.append((element, weight, producer))
            return .waiting
        case let action: return .go(action, producer)
        }
    }

    // MARK: Taking

    enum TakeAction {
        /// An element. Wake these producers: their elements were accepted.
        case element(Element, waking: [Producer])
        /// The channel is empty: the consumer must wait, with ``wait(toTakeAs:)``.
        case empty
        /// The channel is empty and no elements will follow.
        case finished
    }

    mutating func take() -> TakeAction {
        guard phase != .cancelled else { return .finished }
        guard let (element, weight) = buffer.popFirst() else {
            return phase == .finished ? .finished : .empty
        }
        bufferedWeight -= weight
        var woken: [Producer] = []
        while let first = producers.first, hasRoom(for: first.weight), let next = producers.popFirst() {
            buffer.append((next.element, next.weight))
            bufferedWeight += next.weight
            woken.append(next.producer)
        }
        return .element(element, waking: woken)
    }

    enum WaitToTakeAction {
        case waiting
        case go(TakeAction, Consumer)
    }

    /// Registers a consumer whose take returned ``TakeAction/empty``.
    mutating func wait(toTakeAs consumer: Consumer) -> WaitToTakeAction {
        switch take() {
        case .empty:
            consumers.append(consumer)
            return .waiting
        case let action: return .go(action, consumer)
        }
    }

    // MARK: Closing

    /// Ends offers. The remaining elements can still be taken. Returns the waiting consumers, to be woken
    /// without an element.
    mutating func finish() -> [Consumer] {
        guard phase == .open else { return [] }
        phase = .finished
        return consumers.removeAll()
    }

    /// Ends offers and takes, and drops all elements. Returns all waiting tasks, to be woken without an
    /// element.
    mutating func cancel() -> (producers: [Producer], consumers: [Consumer]) {
        phase = .cancelled
        buffer = RingBuffer()
        bufferedWeight = 0
        return (producers.removeAll().map(\.producer), consumers.removeAll())
    }
}

extension RingBuffer {
    fileprivate mutating func removeAll() -> [Element] {
        var all: [Element] = []
        while let element = popFirst() { all.append(element) }
        return all
    }
}

/// A first-in-first-out queue in which taking an element does not move the others.
struct RingBuffer<Element> {
    private var slots: [Element?] = []
    private var head = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    /// The oldest element, which stays in the queue.
    var first: Element? { count > 0 ? slots[head] : nil }

    mutating func append(_ element: Element) {
        if count == slots.count { grow() }
        slots[(head + count) % slots.count] = element
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = slots[head].take()
        head = (head + 1) % slots.count
        count -= 1
        return element
    }

    private mutating func grow() {
        var larger: [Element?] = []
        larger.reserveCapacity(max(4, slots.count * 2))
        for offset in 0..<count { larger.append(slots[(head + offset) % slots.count]) }
        larger.append(contentsOf: repeatElement(nil, count: max(4, slots.count * 2) - count))
        slots = larger
        head = 0
    }
}

extension RingBuffer: Sendable where Element: Sendable {}
