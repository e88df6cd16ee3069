/// What is odd about a record that a framing cut out, or that was decoded from its bytes.
extension RecordFlags {
    /// The input ends within the record.
    package static let cutShort = RecordFlags(rawValue: 1 << 9)
    /// What the record says of its own lengths is wrong; its fields were found by their marks.
    package static let wrongLengths = RecordFlags(rawValue: 1 << 10)
    /// The record holds characters that cannot be read; each was replaced by U+FFFD.
    package static let replacedCharacters = RecordFlags(rawValue: 1 << 11)
    /// A text of the record holds line ends or other control characters that its syntax wants escaped.
    package static let bareControls = RecordFlags(rawValue: 1 << 12)
}
