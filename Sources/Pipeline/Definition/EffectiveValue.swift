/// One line of the effective configuration: a value a run goes by, and who said so.
public struct EffectiveValue: Sendable, Hashable, CustomStringConvertible {
    /// The path that `--set` takes: `stages.LookUpBooks.settings.providers`.
    public let path: String
    /// The value as a definition would spell it.
    public let value: String
    /// Who said so: the definition, an option, the environment, or nobody.
    public let origin: ValueOrigin

    /// `path = value  # origin`
    public var description: String { "\(path) = \(value)  # \(origin)" }
}
