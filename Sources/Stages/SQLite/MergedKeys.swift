/// Sorted runs of keys, handed out as one: by key, then by value.
struct MergedKeys {
    /// A heap: none stands on a lower item than its parent, the one at half of its place.
    private var cursors: [KeyBlockCursor]

    init(_ runs: [KeyBlockCursor]) {
        cursors = runs.filter { $0.item != nil }
        for place in cursors.indices.reversed() { sink(from: place) }
    }

    /// The next item; nil at the end.
    mutating func next() throws(SQLiteError) -> KeyBlock.Item? {
        guard let item = cursors.first?.item else { return nil }
        try cursors[0].advance()
        if cursors[0].item == nil {
            cursors.swapAt(0, cursors.count - 1)
            cursors.removeLast()
        }
        sink(from: 0)
        return item
    }

    private mutating func sink(from start: Int) {
        var place = start
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < cursors.count && isLess(child, least) {
                least = child
            }
            if least == place { return }
            cursors.swapAt(place, least)
            place = least
        }
    }

    private func isLess(_ a: Int, _ b: Int) -> Bool {
        guard let a = cursors[a].item, let b = cursors[b].item else { return false }
        return a < b
    }
}
