/// A typed setting of a stage, with its bounds, default and documentation.
///
/// ```swift
/// static let records = Setting.integer(
///     "batch.records", default: 1_024, in: 1...65_536, "Maximum number of records in a batch.")
/// ```
/// Every setting has a default or is optional. So a stage can always be used without settings, and
/// ``Settings/subscript(_:)`` always returns a value of the right type.
package struct Setting<Value: Sendable>: Sendable {
    /// The setting without its Swift type, for checks, defaults and documentation.
    package let spec: SettingSpec
    /// The default as a Swift value.
    package let fallback: Value
    /// Converts a value to its Swift type; nil for another kind of value, which validation excludes.
    package let read: @Sendable (SettingValue) -> Value?

    private init(
        _ name: String, _ kind: SettingKind, default value: SettingValue, fallback: Value, doc: String,
        isRequired: Bool = false, read: @escaping @Sendable (SettingValue) -> Value?
    ) {
        spec = SettingSpec(name: name, kind: kind, default: value, doc: doc, isRequired: isRequired)
        self.fallback = fallback
        self.read = read
    }
}

extension Setting<Int> {
    /// A whole number within bounds.
    package static func integer(
        _ name: String, default value: Int, in bounds: ClosedRange<Int>, _ doc: String
    ) -> Setting {
        Setting(name, .integer(bounds), default: .integer(value), fallback: value, doc: doc, read: \.integer)
    }

    /// A number of bytes within bounds. The unit is optional.
    package static func bytes(
        _ name: String, default value: Int, in bounds: ClosedRange<Int>, _ doc: String
    ) -> Setting {
        Setting(name, .bytes(bounds), default: .integer(value), fallback: value, doc: doc, read: \.integer)
    }
}

extension Setting<Int?> {
    /// An optional whole number within bounds.
    package static func integer(_ name: String, in bounds: ClosedRange<Int>, _ doc: String) -> Setting {
        Setting(
            name, .integer(bounds), default: .absent, fallback: nil, doc: doc, read: { .some($0.integer) })
    }
}

extension Setting<Double> {
    /// A number within bounds.
    package static func number(
        _ name: String, default value: Double, in bounds: ClosedRange<Double>, _ doc: String
    ) -> Setting {
        Setting(name, .number(bounds), default: .number(value), fallback: value, doc: doc, read: \.number)
    }
}

extension Setting<Double?> {
    /// An optional number within bounds.
    package static func number(_ name: String, in bounds: ClosedRange<Double>, _ doc: String) -> Setting {
        Setting(
            name, .number(bounds), default: .absent, fallback: nil, doc: doc, read: { .some($0.number) })
    }
}

extension Setting<Duration> {
    /// A duration within bounds, in whole milliseconds. The unit is required.
    package static func duration(
        _ name: String, default value: Duration, in bounds: ClosedRange<Duration>, _ doc: String
    ) -> Setting {
        Setting(
            name, .duration(bounds), default: .duration(value), fallback: value, doc: doc, read: \.duration)
    }
}

extension Setting<Bool> {
    /// True or false.
    package static func flag(_ name: String, default value: Bool, _ doc: String) -> Setting {
        Setting(name, .flag, default: .flag(value), fallback: value, doc: doc, read: \.flag)
    }
}

extension Setting<String> {
    /// Any text.
    package static func text(_ name: String, default value: String, _ doc: String) -> Setting {
        Setting(name, .text, default: .text(value), fallback: value, doc: doc, read: \.text)
    }

    /// One of several words.
    package static func choice(
        _ name: String, default value: String, of words: [String], _ doc: String
    ) -> Setting {
        Setting(name, .choice(words), default: .text(value), fallback: value, doc: doc, read: \.text)
    }

    /// An `http` or `https` URL.
    package static func url(_ name: String, default value: String, _ doc: String) -> Setting {
        Setting(name, .url, default: .text(value), fallback: value, doc: doc, read: \.text)
    }
}

extension Setting<String?> {
    /// Any text, optional.
    package static func text(_ name: String, _ doc: String) -> Setting {
        Setting(name, .text, default: .absent, fallback: nil, doc: doc, read: { .some($0.text) })
    }

    /// One of several words, optional.
    package static func choice(_ name: String, of words: [String], _ doc: String) -> Setting {
        Setting(name, .choice(words), default: .absent, fallback: nil, doc: doc, read: { .some($0.text) })
    }

    /// An `http` or `https` URL, optional.
    package static func url(_ name: String, _ doc: String) -> Setting {
        Setting(name, .url, default: .absent, fallback: nil, doc: doc, read: { .some($0.text) })
    }
}

extension Setting<[String]> {
    /// A list of some of `words`, or of any texts if `words` is empty.
    package static func list(
        _ name: String, default value: [String] = [], of words: [String] = [], _ doc: String
    ) -> Setting {
        Setting(name, .list(of: words), default: .list(value), fallback: value, doc: doc, read: \.list)
    }
}

extension Setting {
    /// Texts in a language of their own, such as expressions, that are parsed when a definition is checked.
    ///
    /// - Parameters:
    ///   - name: The setting's name.
    ///   - words: Requirement, to complete "must be …".
    ///   - isList: Whether there can be several texts.
    ///   - isRequired: Whether a definition must set it.
    ///   - fallback: The value if it is not set.
    ///   - doc: Description, in one sentence for the user.
    ///   - parse: Parses all texts. There is one if it is not a list.
    package static func phrases(
        _ name: String, mustBe words: String, isList: Bool = true, isRequired: Bool = false,
        fallback: Value, _ doc: String,
        parse: @escaping @Sendable ([String]) throws(PhraseMistake) -> Value
    ) -> Setting {
        let syntax = PhraseSyntax(words: words, isList: isList) { (items) throws(PhraseMistake) in
            _ = try parse(items)
        }
        return Setting(
            name, .phrases(syntax), default: .absent, fallback: fallback, doc: doc, isRequired: isRequired
        ) { $0.list.flatMap { try? parse($0) } }
    }
}

extension Setting where Value: RawRepresentable<String> & CaseIterable {
    /// One of the cases of an enumeration, written as its raw value.
    package static func choice(_ name: String, default value: Value, _ doc: String) -> Setting {
        Setting(
            name, .choice(Value.allCases.map(\.rawValue)), default: .text(value.rawValue), fallback: value,
            doc: doc, read: { $0.text.flatMap(Value.init(rawValue:)) })
    }
}

extension SettingValue {
    fileprivate var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    fileprivate var number: Double? { if case .number(let value) = self { value } else { nil } }
    fileprivate var duration: Duration? { if case .duration(let value) = self { value } else { nil } }
    fileprivate var flag: Bool? { if case .flag(let value) = self { value } else { nil } }
    fileprivate var text: String? { if case .text(let value) = self { value } else { nil } }
    fileprivate var list: [String]? { if case .list(let value) = self { value } else { nil } }
}

/// A setting without its Swift type: the schema for checking values, filling in defaults and printing `etl
/// stages`.
package struct SettingSpec: Sendable, Hashable {
    /// The path inside the stage's `settings:`. `batch.records` is written there as `batch: { records: … }`.
    package let name: String
    /// The kind of its values, and their bounds.
    package let kind: SettingKind
    /// The default value; ``SettingValue/absent`` if there is none.
    package let `default`: SettingValue
    /// Description for the user, in one sentence.
    package let doc: String
    /// Whether a definition must set it.
    package let isRequired: Bool

    /// The default as written in a definition, such as `1MiB`; `none` if there is none, and `required` if the
    /// setting must be set.
    package var defaultText: String { isRequired ? "required" : self.default.text(as: kind) }
}

/// A setting's parsed value, within its bounds.
package enum SettingValue: Sendable, Hashable {
    /// A whole number, or a number of bytes.
    case integer(Int)
    case number(Double)
    case duration(Duration)
    case flag(Bool)
    case text(String)
    case list([String])
    /// No value was set, and there is no default.
    case absent

    /// The value as written in a definition.
    package func text(as kind: SettingKind) -> String {
        switch (self, kind) {
        case (.integer(let count), .bytes): ByteCountText.exact(count)
        case (.integer(let count), _): "\(count)"
        case (.number(let number), _): "\(number)"
        case (.duration(let duration), _): DurationText.exact(duration)
        case (.flag(let flag), _): flag ? "true" : "false"
        case (.text(let text), _): text
        case (.list(let items), .phrases(let syntax)) where !syntax.isList: items.joined()
        case (.list(let items), _): "[\(items.joined(separator: ", "))]"
        case (.absent, _): "none"
        }
    }
}
