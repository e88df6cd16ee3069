/// One query to a service. Answers are cached under it, and it is asked once, however many callers need
/// it.
package struct ServiceKey: Sendable, Hashable {
    /// Kind of a key, such as an identifier or a title. The users of services declare their kinds.
    package struct Kind: Sendable, Hashable {
        /// The name it is stored under. Kinds with equal names are equal.
        package let name: String
        /// If keys of several kinds wait, those with the lowest number are asked first.
        package let urgency: Int
        /// Lifetime of an answer that found something, in milliseconds.
        package let lifetime: Int64

        package init(_ name: String, urgency: Int, lifetime: Int64) {
            self.name = name
            self.urgency = urgency
            self.lifetime = lifetime
        }

        package static func == (a: Kind, b: Kind) -> Bool { a.name == b.name }
        package func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    package var kind: Kind
    package var text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// The form in which it is stored: `isbn:9780441013593`.
    package var stored: String { "\(kind.name):\(text)" }
}
