/// The validated settings of one stage: what its factory reads.
///
/// ```swift
/// StageRecipe(source: "ReadLibrary", summary: "…", settings: [records.spec]) { settings in
///     ReadLibrary(recordsPerBatch: settings[records])
/// }
/// ```
/// There is no failing access. A value was checked against the ``SettingSpec`` before any factory ran, and a
/// setting nobody gave answers with its default.
public struct Settings: Sendable, Hashable {
    /// A value and where it was said.
    struct Placed: Sendable, Hashable {
        let value: SettingValue
        let origin: ValueOrigin
    }

    /// Values that were given, by name.
    private let given: [String: Placed]
    /// What the stage declared, in its order.
    private let declared: [SettingSpec]
    private let providers: [String: Settings]

    init(
        given: [String: Placed] = [:], declared: [SettingSpec] = [], providers: [String: Settings] = [:]
    ) {
        self.given = given
        self.declared = declared
        self.providers = providers
    }

    /// Nothing given: every setting at its default.
    public static let defaults = Settings()

    /// The value of a setting.
    public subscript<Value>(_ setting: Setting<Value>) -> Value {
        given[setting.spec.name].flatMap { setting.read($0.value) } ?? setting.fallback
    }

    /// Whether the user gave the setting, rather than the default doing so.
    public func isGiven<Value>(_ setting: Setting<Value>) -> Bool { given[setting.spec.name] != nil }

    /// Where the setting was said; nil where nobody said it and its default stands.
    package func origin<Value>(of setting: Setting<Value>) -> ValueOrigin? {
        given[setting.spec.name]?.origin
    }

    /// The settings of a provider, from the definition's `providers:`; defaults for one nobody set anything
    /// of.
    public func provider(_ name: String) -> Settings { providers[name] ?? .defaults }

    /// The same settings, with those of providers at hand.
    func with(providers: [String: Settings]) -> Settings {
        Settings(given: given, declared: declared, providers: providers)
    }

    /// Every declared setting with its value and origin, under a path.
    func effective(under path: String) -> [EffectiveValue] {
        declared.map { spec in
            let placed = given[spec.name]
            return EffectiveValue(
                path: "\(path).\(spec.name)", value: (placed?.value ?? spec.default).text(as: spec.kind),
                origin: placed?.origin ?? .builtIn)
        }
    }
}
