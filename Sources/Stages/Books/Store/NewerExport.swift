/// That an export is older than one that was imported before it: both their newest dates, as `yyyymmdd`.
package struct NewerExport: Sendable, Hashable, Codable {
    /// The format that both have; nil where it was not noted.
    package var profile: String?
    /// The older export's newest date.
    package var own: Int64
    /// The newer one's.
    package var newest: Int64
}
