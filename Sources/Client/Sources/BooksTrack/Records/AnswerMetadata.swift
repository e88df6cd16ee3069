public import Foundation

/// How an answer came about.
public struct AnswerMetadata: Codable, Sendable, Hashable {
    /// When it was made.
    public var timestamp: Date?
    /// Milliseconds that the service needed.
    public var processingTime: Int?
    /// Where its data come from; nil if the service does not say.
    public var provider: Provider?
    /// Whether it comes from the service's cache.
    public var cached: Bool?

    /// The metadata of an answer, as far as they are readable.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        timestamp = (try? values.decode(String.self, forKey: .timestamp)).flatMap { Self.date($0) }
        processingTime = try? values.decode(Int.self, forKey: .processingTime)
        provider = try? values.decode(Provider.self, forKey: .provider)
        cached = try? values.decode(Bool.self, forKey: .cached)
    }

    /// A date with or without fractions of a second.
    private static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle()))
    }
}
