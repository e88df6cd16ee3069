import Bytes
import Pipeline

/// Tells where the cells of a record belong that are not as many as the columns.
///
/// A delimiter within a cell that is not quoted parts it, and all cells behind it stand under the names of others: a
/// publisher under the stars, an ISBN under the pages. Nothing of such a record may be believed by its column's name,
/// unless one way to join cells makes all of them fit.
package struct ColumnShapes: Sendable {
    /// Where the cells belong.
    enum Alignment: Hashable {
        /// Under the names that they stand under; what is missing, or too much, is at the end.
        case inPlace
        /// Under those names, it seems: they would fit in another way as well, or better.
        case doubtful
        /// Those at these places belong to the ones before them.
        case joined([Int])
        /// Too many, that fit in several ways, and not as they stand.
        case unknown
    }

    private let count: Int
    private let areNamed: Bool
    private let shapes: [(column: Int, shape: ColumnShape)]

    /// - Parameter areNamed: Whether a header says what the columns are. Where none does, cells are what they are.
    package init(_ columns: ColumnMap, areNamed: Bool = true) {
        count = columns.names.count
        self.areNamed = areNamed
        shapes = LibraryField.allCases.compactMap { field in
            guard let column = columns[field], let shape = ColumnShape(field) else { return nil }
            return (column, shape)
        }
    }

    /// How a record's cells lie.
    ///
    /// People write a blank behind a comma, and programs write none: as many cells that begin with one as there are too
    /// many belong to the cells before them. Without that, the only column of any text that can take them does.
    func alignment(of cells: [[UInt8]], delimiter: UInt8) -> Alignment {
        guard areNamed else { return .inPlace }
        let excess = cells.count - count
        let misfits = shapes.filter { $0.column < cells.count && !$0.shape.allows(cells[$0.column]) }
        guard excess > 0 else { return lacksOneWithin(cells, misfits) ? .doubtful : .inPlace }
        // A cell may be damaged where it stands. What shows that it has moved is what belongs there, further on.
        let haveMoved = misfits.contains { one in
            (1...excess).contains { one.shape.isLike(cells[one.column + $0]) }
        }
        // Programs there are that end each record with a delimiter, and no header so.
        if !haveMoved, cells.dropFirst(count).allSatisfy(\.isEmpty) { return .inPlace }
        let blankLed = cells.indices.dropFirst().filter { Self.isBlankLed(cells[$0]) }
        if blankLed.count == excess, fit(Self.joined(cells, at: blankLed, by: delimiter)) {
            return .joined(blankLed)
        }
        guard haveMoved else {
            return misfits.isEmpty && fittingColumns(of: cells, excess: excess).isEmpty ? .inPlace : .doubtful
        }
        let fittingColumns = fittingColumns(of: cells, excess: excess)
        guard fittingColumns.count == 1, let fittingColumn = fittingColumns.first else { return .unknown }
        return .joined(Array(fittingColumn + 1...fittingColumn + excess))
    }

    /// Whether a record that is too short has lost a cell before its end: what does not fit where it stands, and all behind
    /// it, fits that much further on.
    private func lacksOneWithin(_ cells: [[UInt8]], _ misfits: [(column: Int, shape: ColumnShape)]) -> Bool {
        guard let gap = misfits.map(\.column).min() else { return false }
        let moved = shapes.filter { $0.column >= gap + count - cells.count }
        return moved.allSatisfy { $0.shape.allows(cells[$0.column - (count - cells.count)]) }
            && moved.contains { $0.shape.isLike(cells[$0.column - (count - cells.count)]) }
    }

    /// The cells, those at some places joined to the ones before them.
    ///
    /// - Parameter places: In their order, none of them the first.
    static func joined(_ cells: [[UInt8]], at places: [Int], by delimiter: UInt8) -> [[UInt8]] {
        var joined: [[UInt8]] = []
        var places = places[...]
        for (place, cell) in cells.enumerated() {
            if places.first == place, !joined.isEmpty {
                joined[joined.count - 1] += [delimiter] + cell
                places.removeFirst()
            } else {
                joined.append(cell)
            }
        }
        return joined
    }

    /// The columns of any text that can take the cells too many, so that all others fit, and that change what a column
    /// whose cells tell something holds.
    private func fittingColumns(of cells: [[UInt8]], excess: Int) -> [Int] {
        // What stands before the taker stays, what stands behind it moves.
        let firstToMove = shapes.filter { !$0.shape.allows(cells[$0.column]) }.map(\.column).min() ?? count
        let lastToStay =
            shapes.filter { !$0.shape.allows(cells[$0.column + excess]) }.map(\.column).max() ?? -1
        let lastToDiffer =
            shapes.filter { cells[$0.column] != cells[$0.column + excess] }.map(\.column).max() ?? -1
        let shaped = Set(shapes.map(\.column))
        return (0..<count).filter {
            $0 > lastToStay && $0 < min(firstToMove, lastToDiffer) && !shaped.contains($0)
        }
    }

    private func fit(_ cells: [[UInt8]]) -> Bool {
        shapes.allSatisfy { $0.column >= cells.count || $0.shape.allows(cells[$0.column]) }
    }

    private static func isBlankLed(_ cell: [UInt8]) -> Bool {
        cell.first == UInt8(ascii: " ") && cell.contains { $0 != UInt8(ascii: " ") }
    }
}

/// What the cells of a column look like, where that can be told: enough to see that a record's cells stand under the
/// wrong names. Exporters' own spellings pass; words where a number belongs do not, be it that they were put there.
enum ColumnShape {
    /// A number or a date: whatever it is written like, it has digits.
    case number
    /// Stars, on whatever scale.
    case rating
    /// A book's number.
    case identifier

    /// Nil for a field whose cells may be any text.
    init?(_ field: LibraryField) {
        switch field {
        case .isbn10, .isbn13: self = .identifier
        case .rating, .averageRating: self = .rating
        case .pageCount, .yearPublished, .originalYear, .readCount, .dateRead, .dateStarted, .dateAdded,
            .purchaseDate:
            self = .number
        default: return nil
        }
    }

    /// Digits in a row at the most in a number or a date: `20260402` is one, an ISBN is none.
    private static let maxDigits = 8
    /// The largest rating on any scale.
    private static let bestRating = 100.0

    /// Whether a cell may stand in such a column. One without letters and digits may stand anywhere.
    func allows(_ cell: [UInt8]) -> Bool { !Self.saysSomething(cell) || isLike(cell) }

    private static func saysSomething(_ cell: [UInt8]) -> Bool {
        cell.contains { $0.isDigit || $0.isLetter || $0 >= 0x80 }
    }

    /// Whether a cell says what such a column says.
    func isLike(_ cell: [UInt8]) -> Bool {
        guard Self.saysSomething(cell) else { return false }
        let hasDigit = cell.contains(where: \.isDigit)
        let hasLetter = cell.contains { $0.isLetter || $0 >= 0x80 }
        return switch self {
        case .number: hasDigit && cell.split { !$0.isDigit }.allSatisfy { $0.count <= Self.maxDigits }
        case .rating: Self.isRating(cell)
        case .identifier: hasDigit && !(hasLetter && cell.contains(UInt8(ascii: " ")))
        }
    }

    private static func isRating(_ cell: [UInt8]) -> Bool {
        cell.withUnsafeBytes { bytes in
            StarRating.read(bytes) != .damaged || StarRating.number(bytes).map { $0 <= bestRating } ?? false
        }
    }
}
