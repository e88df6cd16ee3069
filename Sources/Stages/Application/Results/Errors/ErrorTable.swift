import Books

/// The columns of a list of errors: those of all files it lists, each once, then cells beyond any header, then what
/// `etl` adds.
struct ErrorTable {
    private var names: [String] = []
    /// Where each layout's columns stand in the table.
    private var places: [[String]: [Int]] = [:]
    /// Most cells that a row has beyond its layout.
    private var extraCells = 0

    /// Adds a layout's columns. A name that a layout has twice is two columns.
    mutating func add(layout: [String]) {
        guard places[layout] == nil else { return }
        var taken: Set<Int> = []
        places[layout] = layout.map { name in
            let known = names.indices.first { names[$0] == name && !taken.contains($0) }
            if known == nil { names.append(name) }
            let place = known ?? names.count - 1
            taken.insert(place)
            return place
        }
    }

    /// Makes room for a row of so many cells.
    mutating func makeRoom(for cells: Int, of layout: [String]) {
        extraCells = max(extraCells, cells - layout.count)
    }

    /// The header: the sources' own names, numbers for what they do not name, and what is added.
    var header: [String] {
        names + (0..<extraCells).map { "\(CorrectedList.extraColumnPrefix)\(names.count + $0 + 1)" }
            + CorrectedList.addedColumns
    }

    /// A row's cells where the table has them.
    func row(_ cells: [[UInt8]], of layout: [String]) -> [[UInt8]] {
        var row = [[UInt8]](repeating: [], count: names.count + extraCells)
        let places = places[layout] ?? []
        for (column, cell) in cells.enumerated() {
            let place = column < places.count ? places[column] : names.count + column - places.count
            if row.indices.contains(place) { row[place] = cell }
        }
        return row
    }
}
