extension Array where Element: Hashable {
    /// Each element once, at its first place.
    @inlinable
    package var deduplicated: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
