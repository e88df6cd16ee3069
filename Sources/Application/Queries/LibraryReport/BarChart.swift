import System

/// A value of a chart and its name.
struct ChartValue {
    var label: String
    var value: Int
    /// The name under a column; nil for the label.
    var shortLabel: String?
}

/// Horizontal bars as an inline SVG: a line with label and value, and the bar below it. Widths are percentages, so
/// the text keeps its size on every screen. A screen reader gets the label of the chart; the values are in the
/// table behind it.
struct BarChart {
    /// Description of the chart in one sentence.
    let label: String
    let values: [ChartValue]

    private static let row = 36
    /// A longer label is cut; the table has all of it.
    private static let maxLabel = 30

    func write(into html: inout HTML) {
        guard let most = values.map(\.value).max(), most > 0 else { return }
        html.tag("svg", Drawing.attributes(label, height: values.count * Self.row)) { html in
            for (index, bar) in values.enumerated() {
                let top = index * Self.row
                Drawing.text(Drawing.cut(bar.label, to: Self.maxLabel), x: "0", y: top + 15, &html)
                Drawing.text(
                    CountText.grouped(bar.value), x: "100%", y: top + 15, anchor: "end", &html)
                Drawing.bar(x: 0, y: top + 21, width: 100, height: 8, style: "track", &html)
                let width = Drawing.share(bar.value, of: most)
                Drawing.bar(
                    x: 0, y: top + 21, width: bar.value > 0 ? max(width, 0.5) : 0, height: 8, style: "bar",
                    &html)
            }
        }
    }
}

/// Columns in order, such as years, as an inline SVG. Labels are drawn only as far as they fit on a phone.
struct ColumnChart {
    let label: String
    let values: [ChartValue]
    var maxLabels = 7

    private static let (height, top, bottom) = (180, 18, 22)
    /// With more columns, only the highest one has its value.
    private static let maxValues = 12
    /// Fewer columns are as wide as with this number.
    private static let fewest = 8

    func write(into html: inout HTML) {
        guard let most = values.map(\.value).max(), most > 0 else { return }
        let step = 100 / Double(max(values.count, Self.fewest))
        let room = Self.height - Self.top - Self.bottom
        // The last column has a label, and those at equal distances before it.
        let every = (values.count + maxLabels - 1) / maxLabels
        let highest = values.firstIndex { $0.value == most }
        html.tag("svg", Drawing.attributes(label, height: Self.height)) { html in
            Drawing.bar(
                x: 0, y: Self.height - Self.bottom, width: 100, height: 1, style: "track", &html)
            for (index, column) in values.enumerated() {
                let left = Double(index) * step
                let middle = Drawing.percent(left + step / 2)
                let size = column.value > 0 ? max(2, column.value * room / most) : 0
                Drawing.bar(
                    x: left + step * 0.12, y: Self.height - Self.bottom - size, width: step * 0.76,
                    height: size, style: "bar", name: "\(column.label): \(column.value)", &html)
                if (values.count - 1 - index).isMultiple(of: every) {
                    Drawing.text(
                        column.shortLabel ?? column.label, x: middle, y: Self.height - 6, anchor: "middle",
                        &html)
                }
                if values.count <= Self.maxValues ? column.value > 0 : index == highest {
                    Drawing.text(
                        CountText.grouped(column.value), x: middle,
                        y: Self.height - Self.bottom - size - 5,
                        anchor: "middle", &html)
                }
            }
        }
    }
}

/// Bars that are divided into parts of a whole, as an inline SVG.
struct DividedBars {
    let label: String
    /// Each with its parts, in the order of the styles.
    let bars: [(label: String, note: String, parts: [Int])]

    /// The styles of the parts.
    static let styles = ["bar", "second", "third"]

    private static let row = 40

    func write(into html: inout HTML) {
        guard !bars.isEmpty else { return }
        html.tag("svg", Drawing.attributes(label, height: bars.count * Self.row)) { html in
            for (index, bar) in bars.enumerated() {
                let (top, whole) = (index * Self.row, bar.parts.reduce(0, +))
                Drawing.text(bar.label, x: "0", y: top + 15, &html)
                Drawing.text(bar.note, x: "100%", y: top + 15, anchor: "end", &html)
                Drawing.bar(x: 0, y: top + 21, width: 100, height: 12, style: "track", &html)
                var left = 0.0
                for (part, style) in zip(bar.parts, Self.styles) where part > 0 {
                    let width = Drawing.share(part, of: whole)
                    Drawing.bar(x: left, y: top + 21, width: width, height: 12, style: style, &html)
                    left += width
                }
            }
        }
    }
}

/// Elements of drawings. Places along the width are percentages.
private enum Drawing {
    static func attributes(_ label: String, height: Int) -> HTML.Attributes {
        ["width": "100%", "height": "\(height)", "role": "img", "aria-label": label]
    }

    static func text(
        _ text: String, x: String, y: Int, anchor: String = "start", _ html: inout HTML
    ) {
        // The anchor is the same side for text in any direction.
        html.tag("text", ["x": x, "y": "\(y)", "text-anchor": anchor, "direction": "ltr"], text)
    }

    /// - Parameter name: Tooltip of the bar; empty for none.
    static func bar(
        x: Double, y: Int, width: Double, height: Int, style: String, name: String = "",
        _ html: inout HTML
    ) {
        guard width > 0, height > 0 else { return }
        html.tag(
            "rect",
            [
                "class": style, "x": percent(x), "y": "\(y)", "width": percent(width), "height": "\(height)",
                "rx": height > 2 ? "2" : "0",
            ]
        ) { html in
            if !name.isEmpty { html.tag("title", name) }
        }
    }

    /// A part of a whole in percent.
    static func share(_ part: Int, of whole: Int) -> Double {
        whole > 0 ? Double(part) * 100 / Double(whole) : 0
    }

    /// `12.5%`
    static func percent(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return rest == 0 ? "\(hundredths / 100)%" : "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)%"
    }

    static func cut(_ label: String, to length: Int) -> String {
        label.count <= length ? label : "\(label.prefix(length - 1))…"
    }
}
