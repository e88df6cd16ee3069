/// Sorted runs of keys, handed out as one: by key, then by value.
struct RunMerger {
    /// The next item of a run that has one, and the run's number.
    private typealias Head = (item: KeyBlock.Item, run: Int)

    private var runs: [KeyBlockCursor]
    /// A heap, of numbers alone, which are moved without counting references: none is lower than its parent, the one at
    /// half of its place.
    private var heads: [Head] = []

    init(_ runs: [KeyBlockCursor]) {
        self.runs = runs
        for (run, cursor) in runs.enumerated() {
            if let item = cursor.item { heads.append((item, run)) }
        }
        for place in heads.indices.reversed() { sink(from: place) }
    }

    /// The next item; nil at the end.
    mutating func next() throws(SQLiteError) -> KeyBlock.Item? {
        guard let head = heads.first else { return nil }
        try runs[head.run].advance()
        if let item = runs[head.run].item {
            heads[0].item = item
        } else {
            heads.swapAt(0, heads.count - 1)
            heads.removeLast()
        }
        sink(from: 0)
        return head.item
    }

    private mutating func sink(from start: Int) {
        var place = start
        while true {
            var least = place
            let children = 2 * place + 1
            for child in children..<children + 2 where child < heads.count {
                if heads[child].item < heads[least].item { least = child }
            }
            if least == place { return }
            heads.swapAt(place, least)
            place = least
        }
    }
}
