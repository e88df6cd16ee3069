/// A setting's value once its text has been read and found within its bounds.
public enum SettingValue: Sendable, Hashable {
    /// A whole number; of bytes, where the kind says so.
    case integer(Int)
    case number(Double)
    case duration(Duration)
    case flag(Bool)
    case text(String)
    case list([String])
    /// Nothing was said, and there is no default.
    case absent

    /// The value as a definition would spell it.
    package func text(as kind: SettingKind) -> String {
        switch (self, kind) {
        case (.integer(let count), .bytes): ByteCountText.exact(count)
        case (.integer(let count), _): "\(count)"
        case (.number(let number), _): "\(number)"
        case (.duration(let duration), _): DurationText.exact(duration)
        case (.flag(let flag), _): flag ? "true" : "false"
        case (.text(let text), _): text
        case (.list(let items), _): "[\(items.joined(separator: ", "))]"
        case (.absent, _): "none"
        }
    }
}
