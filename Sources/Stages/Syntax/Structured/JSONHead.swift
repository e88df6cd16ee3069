/// The first bytes of a file that begins as JSON in UTF-8 does.
package struct JSONHead {
    private let text: ArraySlice<UInt8>

    /// - Returns: Nil for what begins with neither an object nor a list.
    package init?(_ head: [UInt8]) {
        text = head.starts(with: TextEncoding.utf8.byteOrderMark) ? head.dropFirst(3) : head[...]
        guard let first = text.first(where: { $0 > 0x20 }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else { return nil }
    }

    /// Those of the keys that it holds.
    package func keys(of wanted: [String]) -> [String] {
        wanted.filter { text.firstRange(of: Array("\"\($0)\"".utf8)) != nil }
    }
}
