/// The validated settings of one stage, for its factory.
///
/// ```swift
/// StageFactory(source: "ReadLibrary", summary: "…", settings: [records.spec]) { settings in
///     ReadLibrary(recordsPerBatch: settings[records])
/// }
/// ```
/// Access never fails: values are checked against the ``SettingSpec`` before any factory runs, and a setting
/// that is not set has its default.
package struct Settings: Sendable, Hashable {
    /// A value and its origin.
    struct Placed: Sendable, Hashable {
        let value: SettingValue
        let origin: ValueOrigin
    }

    /// The values that were set, by name.
    private let explicit: [String: Placed]
    /// The settings that the stage declares, in its order.
    private let declared: [SettingSpec]
    private let providers: [String: Settings]

    init(
        explicit: [String: Placed] = [:], declared: [SettingSpec] = [], providers: [String: Settings] = [:]
    ) {
        self.explicit = explicit
        self.declared = declared
        self.providers = providers
    }

    /// Every setting has its default.
    package static let defaults = Settings()

    /// The value of a setting.
    package subscript<Value>(_ setting: Setting<Value>) -> Value {
        explicit[setting.spec.name].flatMap { setting.read($0.value) } ?? setting.fallback
    }

    /// Whether the user set the setting.
    package func isExplicit<Value>(_ setting: Setting<Value>) -> Bool { explicit[setting.spec.name] != nil }

    /// Place where the setting was set; nil for the default.
    package func origin<Value>(of setting: Setting<Value>) -> ValueOrigin? {
        explicit[setting.spec.name]?.origin
    }

    /// The settings of a provider, from the definition's `providers:`, or its defaults.
    package func provider(_ name: String) -> Settings { providers[name] ?? .defaults }

    /// The same settings, with those of providers.
    func with(providers: [String: Settings]) -> Settings {
        Settings(explicit: explicit, declared: declared, providers: providers)
    }

    /// Every declared setting with its value and origin, under a path.
    func effective(under path: String) -> [EffectiveValue] {
        declared.map { spec in
            let placed = explicit[spec.name]
            return EffectiveValue(
                path: "\(path).\(spec.name)", value: (placed?.value ?? spec.default).text(as: spec.kind),
                origin: placed?.origin ?? .builtIn)
        }
    }
}
