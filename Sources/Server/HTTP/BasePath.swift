/// The path under which a server is mounted: `/books`, or nothing at the root.
package struct BasePath: Sendable, Hashable {
    /// The path without a slash at its end; empty at the root.
    package let text: String

    package static let root = BasePath(plain: "")

    private init(plain text: String) { self.text = text }

    /// - Parameter text: `/books`, `/books/` or `/a/b`; `/` and an empty text are the root.
    /// - Returns: Nil for a path that would have to be escaped, is relative, or has dots or nothing between two slashes.
    package init?(_ text: String) {
        let path = text.hasSuffix("/") ? text.dropLast() : Substring(text)
        guard !path.isEmpty else {
            self = .root
            return
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard path.utf8.count <= 200, parts.first?.isEmpty == true,
            parts.dropFirst().allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." && Self.isPlain($0) })
        else { return nil }
        self.text = String(path)
    }

    private static func isPlain(_ part: Substring) -> Bool {
        part.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._~".utf8.contains(byte)
            }
        }
    }

    package var isRoot: Bool { text.isEmpty }

    /// The path of a server that is mounted at `inner` behind a proxy which removes this one.
    package func appending(_ inner: BasePath) -> BasePath { BasePath(plain: text + inner.text) }
}
