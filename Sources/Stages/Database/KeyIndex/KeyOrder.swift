/// Sorts keys with their values: by key, then by value.
///
/// Keys are mostly hashes, which lie evenly between the lowest and the highest. Dealt out by their first bits to heaps
/// that fit the processor's cache, and sorted heap by heap, they take less than half of the time. Keys that lie
/// otherwise fall into few heaps, and take a little more than without.
enum KeyOrder {
    private static let heaps = 2_048
    private static let heapBits = 11

    static func sort(_ items: inout [KeyBlock.Item]) {
        guard items.count >= 4 * heaps, let first = items.first else { return items.sort(by: <) }
        var (low, high) = (first.key, first.key)
        for item in items { (low, high) = (min(low, item.key), max(high, item.key)) }
        // The distance may be more than a signed number holds.
        let span = UInt64(bitPattern: high &- low)
        let shift = UInt64(max(0, span.bitWidth - span.leadingZeroBitCount - heapBits))
        func heap(_ item: KeyBlock.Item) -> Int { Int(UInt64(bitPattern: item.key &- low) >> shift) }

        var places = [Int](repeating: 0, count: heaps)
        for item in items { places[heap(item)] += 1 }
        var next = 0
        for heap in places.indices {
            let count = places[heap]
            places[heap] = next
            next += count
        }
        items = [KeyBlock.Item](unsafeUninitializedCapacity: items.count) { dealt, count in
            for item in items {
                let heap = heap(item)
                dealt.initializeElement(at: places[heap], to: item)
                places[heap] += 1
            }
            count = items.count
            // Each place is now where its heap ends.
            var start = 0
            for end in places {
                if end - start > 1 { dealt[start..<end].sort(by: <) }
                start = end
            }
        }
    }
}
