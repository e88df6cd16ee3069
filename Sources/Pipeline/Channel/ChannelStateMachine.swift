/// What a bounded channel does, as a value without lock or task: events in, actions out.
///
/// The channel holds elements up to a bound in number and in weight. A producer that finds it full waits with its
/// element in hand; a consumer that finds it empty waits. Both kinds of waiting never happen at once. Elements
/// leave in the order in which they were offered, those of waiting producers included.
///
///     offer ──▶ [ waiting producers ] ──▶ [ buffer: ≤ capacity, ≤ weightLimit ] ──▶ take
///
/// An element heavier than the limit is let in alone, or nothing would ever move it.
///
/// - `Producer`, `Consumer`: whatever the face needs to wake a waiter; continuations in production, numbers in tests.
struct ChannelStateMachine<Element: Sendable, Producer: Sendable, Consumer: Sendable>: Sendable {
    private enum Phase { case open, finished, cancelled }

    let capacity: Int
    let weightLimit: Int
    private var phase = Phase.open
    private var buffer = RingBuffer<(element: Element, weight: Int)>()
    private var bufferedWeight = 0
    private var producers = RingBuffer<(element: Element, weight: Int, producer: Producer)>()
    private var consumers = RingBuffer<Consumer>()

    init(capacity: Int, weightLimit: Int) {
        precondition(capacity > 0 && weightLimit > 0)
        self.capacity = capacity
        self.weightLimit = weightLimit
    }

    /// Elements that wait to be taken, those in the hands of waiting producers included.
    var depth: Int { buffer.count + producers.count }

    private func hasRoom(for weight: Int) -> Bool {
        buffer.isEmpty || (buffer.count < capacity && bufferedWeight + weight <= weightLimit)
    }

    // MARK: Offering

    enum OfferAction {
        /// The element is in; the producer goes on.
        case accepted
        /// Give the element to this waiting consumer; the producer goes on.
        case handOver(Consumer, Element)
        /// No room: the producer waits, registered by ``wait(offering:weight:as:)``.
        case full
        /// Nobody will take it any more.
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
        /// Room came up, or a consumer, between the two calls: carry out the offer's action and go on.
        case go(OfferAction, Producer)
    }

    /// A producer whose offer was ``OfferAction/full`` starts to wait.
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
        /// Here is one; wake these producers, their elements are in.
        case element(Element, waking: [Producer])
        /// Nothing there: the consumer waits, registered by ``wait(toTakeAs:)``.
        case empty
        /// Nothing there and nothing will come.
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

    /// A consumer whose take was ``TakeAction/empty`` starts to wait.
    mutating func wait(toTakeAs consumer: Consumer) -> WaitToTakeAction {
        switch take() {
        case .empty:
            consumers.append(consumer)
            return .waiting
        case let action: return .go(action, consumer)
        }
    }

    // MARK: Closing

    /// No more offers: what is in is still taken, then takes end. Returns the consumers to wake with nothing.
    mutating func finish() -> [Consumer] {
        guard phase == .open else { return [] }
        phase = .finished
        return consumers.removeAll()
    }

    /// Everything ends now; what is in is dropped. Returns all waiters, to be woken with nothing.
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

/// A first-in-first-out queue that moves no element when one is taken.
struct RingBuffer<Element> {
    private var slots: [Element?] = []
    private var head = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    /// The oldest element, left where it is.
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
