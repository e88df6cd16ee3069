public import Foundation

/// An optional address. Text that is not an address is read as nil, so that a wrong cover does not lose the book.
@propertyWrapper
public struct WebAddress: Codable, Sendable, Hashable {
    /// The address.
    public var wrappedValue: URL?

    /// An address.
    public init(wrappedValue: URL?) { self.wrappedValue = wrappedValue }

    /// Reads a text or null.
    public init(from decoder: any Decoder) throws {
        let text = try? decoder.singleValueContainer().decode(String.self)
        wrappedValue = text.flatMap { URL(string: $0) }
    }

    /// Writes a text or null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue {
            try container.encode(wrappedValue.absoluteString)
        } else {
            try container.encodeNil()
        }
    }
}

extension KeyedDecodingContainer {
    /// An address that may be missing.
    public func decode(_ type: WebAddress.Type, forKey key: Key) throws -> WebAddress {
        try decodeIfPresent(type, forKey: key) ?? WebAddress(wrappedValue: nil)
    }
}
