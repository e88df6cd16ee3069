/// The bounds of numbers that are stored: counts, rows, lines, bytes, milliseconds since 1970.
///
/// A number outside them is damage. Checked when it is read, it cannot overflow a computation.
package enum StoredNumber {
    /// The largest number: all integers up to it are exact in JSON, too.
    package static let max: Int64 = 1 << 53
    package static let range = 0...max
}
