/// One line of the effective configuration: a value a run goes by, and who said so.
public struct EffectiveValue: Sendable, Hashable, CustomStringConvertible {
    /// The path that `--set` takes: `stages.LookUpBooks.settings.providers`.
    public let path: String
    /// The value as a definition would spell it.
    public let value: String
    public let origin: ValueOrigin

    /// `path = value  # origin`
    public var description: String { "\(path) = \(value)  # \(origin)" }
}
