/// The name of a job: `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`, so that it is safe in a path, an address and a log.
enum JobName {
    static let words = "up to 64 letters, digits, `.`, `_` and `-`, a letter or digit first"

    /// The name itself; nil when it is none.
    static func parse(_ text: String) -> String? {
        let isPlain = text.utf8.enumerated().allSatisfy { index, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): index > 0
            default: false
            }
        }
        return isPlain && (1...64).contains(text.utf8.count) ? text : nil
    }
}
