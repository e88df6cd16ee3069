package import Syntax

/// Where a book stands in a photo, as parts of its width and height (API contract v2.1 section 5.1).
package struct BoundingBox: Sendable, Hashable {
    /// Left and upper edge, 0–1.
    package var x: Double
    package var y: Double
    /// Extent, 0–1.
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension BoundingBox: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("x", x)
            out.field("y", y)
            out.field("width", width)
            out.field("height", height)
        }
    }
}
