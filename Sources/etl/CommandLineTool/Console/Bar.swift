/// Bars and sparklines of block characters.
enum Bar {
    private static let eighths: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    private static let heights: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// A bar for a share of the largest value. Every value above 0 is visible.
    ///
    /// - Parameter width: Columns of the largest value.
    static func horizontal(_ value: Int, of most: Int, width: Int) -> String {
        guard value > 0, most > 0, width > 0 else { return "" }
        let parts = max(1, Int((Double(min(value, most)) / Double(most) * Double(width * 8)).rounded()))
        let rest = parts % 8
        return String(repeating: "█", count: parts / 8) + (rest > 0 ? String(eighths[rest - 1]) : "")
    }

    /// One character for each value; a blank for 0.
    static func sparkline(_ values: [Int]) -> String {
        guard let most = values.max(), most > 0 else { return "" }
        return String(
            values.map { value in
                value <= 0 ? " " : heights[min(7, (value * 8 - 1) / most)]
            })
    }
}
