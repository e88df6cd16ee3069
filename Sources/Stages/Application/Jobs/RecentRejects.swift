/// Which of the last records were rejected, record by record.
struct RecentRejects: Sendable {
    /// Records so far.
    private var records = 0
    /// The rejected ones by their numbers, from 1; those before ``first`` are too long ago.
    private var numbers: [Int] = []
    private var first = 0

    /// Notes a batch.
    ///
    /// - Parameters:
    ///   - new: Records of the batch.
    ///   - rejected: Those of them that were rejected, by their numbers in the batch, from 0, rising.
    ///   - window: How many records are the last ones.
    ///   - isTooMany: Whether so many rejects are too many for a whole window.
    /// - Returns: How many there were where that was first too many.
    mutating func note(
        _ new: Int, _ rejected: [Int], of window: Int, isTooMany: (Int) -> Bool
    ) -> Int? {
        // Between two rejects the share can only fall: it is judged at each, and once where the window is first full.
        var places = rejected.map { (number: records + $0 + 1, isRejected: true) }
        if records < window, records + new >= window {
            places.insert(
                (window, false), at: places.firstIndex { $0.number > window } ?? places.endIndex)
        }
        records += new
        for place in places {
            if place.isRejected { numbers.append(place.number) }
            while first < numbers.count, numbers[first] <= place.number - window { first += 1 }
            let count = numbers.count - first
            if place.number >= window, isTooMany(count) { return count }
        }
        if first > numbers.count / 2 {
            numbers.removeFirst(first)
            first = 0
        }
        return nil
    }
}
