extension Range where Bound == Int {
    /// The first index for which `belongsBehind` is true, found by binary search; the upper bound if there is
    /// none.
    ///
    /// - Parameter belongsBehind: False for all indices up to some index, and true from there on.
    @inline(__always)
    @inlinable
    package func partitioningIndex(where belongsBehind: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if belongsBehind(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
