import FoundationEssentials

/// The name of a job: `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`, which is safe in a path, a URL and a log.
package enum JobName {
    /// A new name: a random UUID in lower case. It cannot be guessed.
    package static func make() -> String { UUID().uuidString.lowercased() }

    /// Whether a text can be the name of a job.
    package static func isValid(_ text: String) -> Bool {
        guard (1...64).contains(text.utf8.count) else { return false }
        return text.utf8.enumerated().allSatisfy { index, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): index > 0
            default: false
            }
        }
    }
}
