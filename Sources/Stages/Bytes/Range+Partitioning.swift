extension Range where Bound == Int {
    /// The first index of those that belong behind a border, found by halving; the upper bound where none does.
    ///
    /// - Parameter belongsBehind: False for all indices before the border and true for all from there on.
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
