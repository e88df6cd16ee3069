/// Numbers of bytes as people write them: `65536`, `64KiB`, `1.5MiB`, `10MB`.
package enum ByteCountText {
    private static let units: [(name: String, bytes: Int)] = [
        ("tib", 1 << 40), ("gib", 1 << 30), ("mib", 1 << 20), ("kib", 1 << 10),
        ("tb", 1_000_000_000_000), ("gb", 1_000_000_000), ("mb", 1_000_000), ("kb", 1_000),
        // As GNU tools read them: `K` alone is 1,024.
        ("t", 1 << 40), ("g", 1 << 30), ("m", 1 << 20), ("k", 1 << 10), ("b", 1),
    ]

    /// Reads a number of bytes, in any case of letters; nil when it is none, or does not fit.
    package static func parse(_ text: String) -> Int? {
        let lowered = text.lowercased()
        let unit = units.first { lowered.hasSuffix($0.name) }
        let number = lowered.dropLast(unit?.name.count ?? 0)
        let parts = number.last == " " ? number.dropLast() : number
        return DecimalText.parse(parts, times: unit?.bytes ?? 1)
    }

    /// Writes a number of bytes exactly, in the largest binary unit that divides it: what ``parse(_:)`` reads
    /// back.
    package static func exact(_ bytes: Int) -> String {
        guard bytes != 0 else { return "0" }
        let fitting = [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)].first {
            bytes.isMultiple(of: $0.1)
        }
        return fitting.map { "\(bytes / $0.1)\($0.0)" } ?? "\(bytes)"
    }
}
