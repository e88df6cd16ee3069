package import Books
import Bytes
package import Pipeline
package import System

/// Sets fields or columns of each row to the values of expressions. The row is then interpreted again, as if
/// the file had had these cells.
///
/// All expressions see the row as it was before the stage. A field without a column gets one, at the end.
package struct MapFields: Stage {
    /// Target of an assignment.
    package static let assignments = Setting.assignments(
        "set", over: RowFields.schema, where: RowFields.isSettable,
        "Fields or columns and their new values. All see the row as it was before.")

    private let assignments: [Assignment]
    private let interpreter: any RowInterpreter
    private let name: String

    /// - Parameters:
    ///   - assignments: Over ``RowFields``. If one target is set twice, the last one counts.
    ///   - interpreter: Interprets the changed rows.
    ///   - name: The stage's name in rejects.
    package init(_ assignments: [Assignment], interpreter: any RowInterpreter, name: String = "MapFields") {
        self.assignments = assignments
        self.interpreter = interpreter
        self.name = name
    }

    /// Rows keep their order. A row that its format refuses becomes a reject.
    package func process(
        _ batch: consuming Batch<LibraryRows>
    ) async throws(ETLError) -> Batch<LibraryRows> {
        let values = assignments.map { batch.payload.values(of: $0.value) }
        let columns = batch.payload.addColumns(for: assignments.map(\.target))
        var changed: Set<Int> = []
        for (column, values) in zip(columns, values) {
            for (number, value) in values.enumerated()
            where batch.payload.set(value.text ?? "", column: column, ofRow: number) {
                changed.insert(number)
            }
        }
        let names = Set(columns.map { batch.payload.columns.names[$0] })
        try interpreter.interpret(changed.sorted(), of: &batch, changed: names, stage: name)
        return batch
    }
}

extension LibraryRows {
    /// The columns of some targets. Those that the file lacks are added after the others.
    mutating func addColumns(for targets: [Assignment.Target]) -> [Int] {
        var (names, fields) = (columns.names, columns.fields)
        let places = targets.map { target in
            let name: String
            switch target {
            case .column(let column): name = column
            case .field(let index):
                guard let field = RowFields.field(index) else { return 0 }
                if let column = fields[field] { return column }
                name = RowFields.name(of: field)
                fields[field] = names.firstIndex(of: name) ?? names.count
            }
            if let column = names.firstIndex(of: name) { return column }
            names.append(name)
            return names.count - 1
        }
        if names.count > columns.names.count || fields != columns.fields {
            setColumns(names, from: columns.names.indices.map { $0 }, fields: fields)
        }
        return places
    }

    /// Sets a cell; false if it already has this text.
    mutating func set(_ text: String, column: Int, ofRow number: Int) -> Bool {
        let row = rows[number]
        guard column < row.cells.count else {
            guard !text.isEmpty else { return false }
            // The record is too short: its cells move to the end, where they can be followed by others.
            let start = cells.count
            cells.append(contentsOf: cells[row.cells])
            while cells.count - start <= column { cells.append(.none) }
            rows[number].cells = start..<cells.count
            cells[start + column] = arena.append(text)
            return true
        }
        let place = row.cells.lowerBound + column
        let isSame = arena.withBytes(cells[place]) { $0.elementsEqual(text.utf8) }
        if !isSame { cells[place] = arena.append(text) }
        return !isSame
    }

    /// Gives the rows other columns. Cells beyond the old columns stay behind the new ones.
    ///
    /// - Parameters:
    ///   - names: The new columns.
    ///   - sources: For each of them, its old column; those after the list are new and empty.
    ///   - fields: The new column of each field.
    mutating func setColumns(_ names: [String], from sources: [Int], fields: [LibraryField: Int]) {
        let isRenaming = sources.count == columns.names.count && names.count == sources.count
        if !isRenaming || sources != Array(columns.names.indices) {
            var moved: [Text] = []
            moved.reserveCapacity(rows.count * names.count)
            for number in rows.indices {
                let (old, start) = (rows[number].cells, moved.count)
                for source in sources {
                    moved.append(source < old.count ? cells[old.lowerBound + source] : .none)
                }
                for _ in sources.count..<names.count { moved.append(.none) }
                if old.count > columns.names.count {
                    moved.append(contentsOf: cells[old.dropFirst(columns.names.count)])
                }
                rows[number].cells = start..<moved.count
            }
            cells = moved
        }
        columns = columns.with(names: names, fields: fields)
    }
}
