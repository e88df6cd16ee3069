import Foundation
import Syntax
import Testing

/// The JSON that a value writes, in the forms that tests need.
struct Written {
    let bytes: [UInt8]

    init(_ value: some JSONWritable) { self.init { value.write(into: &$0) } }

    init(_ write: (inout JSONWriter) -> Void) {
        var out = JSONWriter()
        write(&out)
        bytes = out.bytes
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func decoded<Model: Decodable>(as model: Model.Type) throws -> Model {
        try JSONDecoder().decode(model, from: Data(bytes))
    }

    /// The sorted top-level keys. A key that was written twice appears twice, which a decoder would hide.
    func keys() throws -> [String] {
        _ = try JSONSerialization.jsonObject(with: Data(bytes))
        var keys: [String] = []
        var (depth, stringStart, isEscaped) = (0, Int?.none, false)
        for (index, byte) in bytes.enumerated() {
            if let start = stringStart {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    stringStart = nil
                    if depth == 1, index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: ":") {
                        keys.append(String(decoding: bytes[start..<index], as: UTF8.self))
                    }
                }
            } else if byte == UInt8(ascii: "\"") {
                stringStart = index + 1
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                depth -= 1
            }
        }
        return keys.sorted()
    }
}
