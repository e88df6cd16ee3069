/// What a setting is, apart from its Swift type: the schema from which values are checked, defaults filled in
/// and `etl stages` printed.
public struct SettingSpec: Sendable, Hashable {
    /// The path inside the stage's `settings:`. `batch.records` stands there as `batch: { records: … }`.
    public let name: String
    /// Of which kind its values are, and within what bounds.
    public let kind: SettingKind
    /// The value where none is given; ``SettingValue/absent`` where nothing is a value too.
    public let `default`: SettingValue
    /// What it does, in one sentence for the user.
    public let doc: String

    /// The default as a definition would spell it: `1MiB`; `none` where there is none.
    package var defaultText: String { self.default.text(as: kind) }
}
