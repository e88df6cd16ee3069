import System

/// Finds the keys that make a service refuse a batch: a refused batch is halved, and so are its halves. A
/// pure value that says what to send next.
///
///     refused  1 2 3 4 5 6 7 8
///     answered 1 2 3 4             so one of 5 6 7 8 is refused, and they are halved without sending them
///     refused          5 6
///     answered         5           6 is sent nevertheless, because only a key sent alone counts as refused
///     refused            6
///     answered             7 8
///
/// One refused key is always found. The number of requests is limited, because a service may refuse all.
struct BatchHalving: Sendable {
    /// Keys refused alone.
    private(set) var refused: [ServiceKey] = []
    /// Whether a part of the batch was answered.
    private(set) var hasAnswers = false

    /// Parts that are not sent yet, the next one last.
    private var parts: [[ServiceKey]]
    /// Whether the part that is being sent is the first half of a refused one. The second half is next then.
    private var isFirstHalf = false
    private var requestsLeft: Int

    init(_ keys: [ServiceKey]) {
        parts = keys.isEmpty ? [] : [keys]
        requestsLeft = Self.requestLimit(for: keys.count)
    }

    /// Maximum number of requests for a batch: enough to find one refused key in it. 12 for 50 keys.
    static func requestLimit(for count: Int) -> Int {
        2 * (Int.bitWidth - max(1, count).leadingZeroBitCount)
    }

    /// Keys that were not sent alone, and not answered.
    var rest: [ServiceKey] { parts.reversed().flatMap { $0 } }

    /// The keys to send next; nil if there are none, or if there were too many requests.
    mutating func next() -> [ServiceKey]? {
        guard requestsLeft > 0, let part = parts.popLast() else { return nil }
        requestsLeft -= 1
        return part
    }

    /// Records that the part was answered.
    mutating func noteAnswered() {
        hasAnswers = true
        // The keys that had the whole refused are in the second half.
        if isFirstHalf, let second = parts.popLast() { split(second) } else { isFirstHalf = false }
    }

    /// Records that the part was refused, or those of its keys that were not answered.
    mutating func noteRefused(_ keys: [ServiceKey]) {
        if keys.count > 1 { return split(keys) }
        refused += keys
        isFirstHalf = false
    }

    /// Records that the service neither answered nor refused the part.
    mutating func noteOpen() { isFirstHalf = false }

    /// Makes the halves of a part the next ones.
    private mutating func split(_ keys: [ServiceKey]) {
        isFirstHalf = keys.count > 1
        guard isFirstHalf else { return parts.append(keys) }
        let middle = keys.count / 2
        parts.append(Array(keys[middle...]))
        parts.append(Array(keys[..<middle]))
    }
}
