import Contract
import Syntax

/// Reads the place of a book in the conventions of models, as fractions of the photo.
///
/// A list is `[top, left, bottom, right]`, as Gemini writes it; an object has `x`, `y`, `width` and `height`. Numbers up to 1 are
/// fractions, up to 1,000 thousandths, and above that pixels. An impossible box is none.
enum ModelBox {
    private static let thousandths = 1_000.0

    /// A list of four numbers, or `null`.
    static func list(
        _ reader: inout JSONReader, in size: ModelBooks.PixelSize?
    ) throws(JSONReadError) -> BoundingBox? {
        guard try reader.peek() == .array else {
            try reader.skip()
            return nil
        }
        var numbers: [Double] = []
        try reader.forEachElement { (reader) throws(JSONReadError) in
            if let number = try number(&reader) { numbers.append(number) }
        }
        guard numbers.count == 4 else { return nil }
        return box(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3], in: size)
    }

    /// An object, a list, or `null`.
    static func any(
        _ reader: inout JSONReader, in size: ModelBooks.PixelSize?
    ) throws(JSONReadError) -> BoundingBox? {
        guard try reader.peek() == .object else { return try list(&reader, in: size) }
        var (x, y, width, height) = (Double?.none, Double?.none, Double?.none, Double?.none)
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            switch key {
            case "x": x = try number(&reader)
            case "y": y = try number(&reader)
            case "width": width = try number(&reader)
            case "height": height = try number(&reader)
            default: break
            }
        }
        guard let x, let y, let width, let height else { return nil }
        return box(top: y, left: x, bottom: y + height, right: x + width, in: size)
    }

    private static func box(
        top: Double, left: Double, bottom: Double, right: Double, in size: ModelBooks.PixelSize?
    ) -> BoundingBox? {
        let largest = max(top, left, bottom, right)
        var (across, down) = (1.0, 1.0)
        // An edge that was computed can be a little over 1.
        if largest > 1.001 {
            let isInPixels = largest > thousandths
            guard !isInPixels || size != nil else { return nil }
            across = isInPixels ? Double(size?.width ?? 1) : thousandths
            down = isInPixels ? Double(size?.height ?? 1) : thousandths
        }
        func clamped(_ value: Double) -> Double { min(1, max(0, value)) }
        let (x1, x2) = (clamped(min(left, right) / across), clamped(max(left, right) / across))
        let (y1, y2) = (clamped(min(top, bottom) / down), clamped(max(top, bottom) / down))
        guard x2 > x1, y2 > y1 else { return nil }
        return BoundingBox(
            x: rounded(x1), y: rounded(y1), width: rounded(x2 - x1), height: rounded(y2 - y1))
    }

    /// To a ten-thousandth, which is less than a pixel of most photos.
    private static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }

    /// A finite number, also one that is written as text; nil for anything else.
    static func number(_ reader: inout JSONReader) throws(JSONReadError) -> Double? {
        let text: String
        switch try reader.peek() {
        case .number: text = String(decoding: try reader.number(), as: UTF8.self)
        case .string: text = try reader.string().string
        default:
            try reader.skip()
            return nil
        }
        guard let number = Double(text), number.isFinite else { return nil }
        return number
    }
}
