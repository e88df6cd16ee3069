package import Books
import Bytes

/// Decides which columns the cells of a record belong to if their number differs from the number of columns.
///
/// An unquoted delimiter inside a cell splits the cell and moves all cells after it to the wrong columns: a
/// publisher into the rating, an ISBN into the pages. The columns of such a record cannot be trusted, unless
/// exactly one way of joining cells makes all of them fit.
package struct ColumnShapes: Sendable {
    /// Alignment of the cells.
    enum Alignment: Hashable {
        /// In their columns. Missing or extra cells are at the end.
        case inPlace
        /// Probably in their columns, but they would fit another way as well or better.
        case doubtful
        /// The cells at these indices belong to the ones before them.
        case joined([Int])
        /// There are too many cells. They do not fit as they are, and fit in several other ways.
        case unknown
    }

    private let count: Int
    let areNamed: Bool
    private let shapes: [(column: Int, shape: ColumnShape)]
    /// Columns whose cells are a line of text or less, in any program.
    private let shortTexts: Set<Int>

    /// - Parameter areNamed: Whether a header names the columns. Without one, cells are used as they are.
    package init(_ columns: ColumnMap, areNamed: Bool = true) {
        count = columns.names.count
        self.areNamed = areNamed
        shapes = LibraryField.allCases.compactMap { field in
            guard let column = columns[field], let shape = ColumnShape(field) else { return nil }
            return (column, shape)
        }
        shortTexts = Set(LibraryField.allCases.filter(\.isShortText).compactMap { columns[$0] })
    }

    /// Decides where a record's cells belong.
    ///
    /// People write a space after a comma, and programs do not. So if the number of cells that begin with a
    /// space equals the number of extra cells, those are joined to the cells before them. Otherwise the extra
    /// cells are joined into the only text column that makes all others fit, if there is exactly one.
    func alignment(of cells: [[UInt8]], delimiter: UInt8) -> Alignment {
        guard areNamed else { return .inPlace }
        let excess = cells.count - count
        let misfits = shapes.filter { $0.column < cells.count && !$0.shape.allows(cells[$0.column]) }
        guard excess > 0 else { return lacksInnerCell(cells, misfits) ? .doubtful : .inPlace }
        // A single cell may just be damaged. Cells have moved if the value that belongs in a column is found
        // further on.
        let haveMoved = misfits.contains { one in
            (1...excess).contains { one.shape.isLike(cells[one.column + $0]) }
        }
        // Some programs end each record with a delimiter, but not the header.
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

    /// Whether a record that is too short has lost a cell before its end: the cell that does not fit, and all
    /// cells after it, fit that many columns further on.
    private func lacksInnerCell(_ cells: [[UInt8]], _ misfits: [(column: Int, shape: ColumnShape)]) -> Bool {
        guard let gap = misfits.map(\.column).min() else { return false }
        let moved = shapes.filter { $0.column >= gap + count - cells.count }
        return moved.allSatisfy { $0.shape.allows(cells[$0.column - (count - cells.count)]) }
            && moved.contains { $0.shape.isLike(cells[$0.column - (count - cells.count)]) }
    }

    /// Joins the cells at the given indices to the ones before them.
    ///
    /// - Parameter places: In ascending order, without index 0.
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

    /// The text columns that can absorb the extra cells so that all other cells fit. Joining must change at
    /// least one cell of a column with a shape.
    private func fittingColumns(of cells: [[UInt8]], excess: Int) -> [Int] {
        // Cells before the absorbing column stay, cells after it move.
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

    /// Number of columns.
    var columnCount: Int { count }

    /// Whether all cells may be in their columns.
    func fits(_ cells: [[UInt8]]) -> Bool { fit(cells) }

    /// Whether any of some columns has a cell that is typical of its shape.
    func holdsTypical(_ cells: [[UInt8]], in columns: Range<Int>) -> Bool {
        shapes.contains { columns.contains($0.column) && $0.shape.isLike(cells[$0.column]) }
    }

    /// Whether a column for ISBNs, among some columns, has a number as long as one.
    func holdsISBN(_ cells: [[UInt8]], in columns: Range<Int>) -> Bool {
        shapes.contains { column, shape in
            guard shape == .identifier, columns.contains(column) else { return false }
            let bare = cells[column].filter { $0 > 0x20 && $0 != UInt8(ascii: "-") }
            let digits = bare.count(where: \.isDigit)
            return digits == bare.count && digits == 13
                || bare.count == 10 && (digits == 10 || digits == 9 && (bare[9] | 0x20) == UInt8(ascii: "x"))
        }
    }

    /// Whether the cells of a column have no line ends in any program: titles, names, numbers.
    func holdsShortText(_ column: Int) -> Bool { shortTexts.contains(column) }

    private func fit(_ cells: [[UInt8]]) -> Bool {
        shapes.allSatisfy { $0.column >= cells.count || $0.shape.allows(cells[$0.column]) }
    }

    static func isBlankLed(_ cell: [UInt8]) -> Bool {
        cell.first == UInt8(ascii: " ") && cell.contains { $0 != UInt8(ascii: " ") }
    }
}

/// Pattern of a column's cells, for columns where this can be determined. It suffices to detect that cells
/// are in the wrong columns. Exporters' own spellings are allowed; words where a number belongs are not, even
/// if the user put them there.
enum ColumnShape {
    /// A number or a date: it contains digits.
    case number
    /// A rating on any scale.
    case rating
    /// An identifier such as an ISBN.
    case identifier

    /// Nil for a field that may hold any text.
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

    /// Maximum number of consecutive digits in a number or date: `20260402` is one, an ISBN is not.
    private static let maxDigits = 8
    /// The largest rating on any scale.
    private static let bestRating = 100.0

    /// Whether a cell may be in such a column. A cell without letters and digits may be in any column.
    func allows(_ cell: [UInt8]) -> Bool { !Self.saysSomething(cell) || isLike(cell) }

    private static func saysSomething(_ cell: [UInt8]) -> Bool {
        cell.contains { $0.isDigit || $0.isLetter || $0 >= 0x80 }
    }

    /// Whether a cell has content that is typical of such a column.
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

extension LibraryField {
    /// Whether its values are a line of text or less.
    fileprivate var isShortText: Bool {
        switch self {
        case .title, .subtitle, .author, .authorLastFirst, .publisher, .series, .seriesNumber, .binding,
            .language,
            .sourceID, .isbn10, .isbn13, .rating, .averageRating, .pageCount, .yearPublished, .originalYear,
            .dateRead, .dateStarted, .dateAdded, .exclusiveShelf, .readCount, .ownedCopies, .purchaseDate:
            true
        default: false
        }
    }
}
