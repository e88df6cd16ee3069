import TestSupport
import Testing

@testable import Store

@Suite struct PackedCellsTests {
    private static func packed(_ cells: [String?]) -> [UInt8] {
        var bytes: [UInt8] = []
        for cell in cells {
            if let cell {
                Array(cell.utf8).withUnsafeBytes { PackedCells.append($0, to: &bytes) }
            } else {
                PackedCells.appendKeptApart(to: &bytes)
            }
        }
        return bytes
    }

    private static func cells(_ bytes: [UInt8]) -> [String] {
        bytes.withUnsafeBytes { PackedCells.cells($0, keptApart: "kept apart") }
    }

    @Test func `cells round-trip, with the separately stored one in its place`() {
        let long = String(repeating: "é", count: 70_000)
        for cells in [[], [""], ["a", nil, "", "\"quoted\", \n\u{0}"], [long, nil], [nil]] as [[String?]] {
            #expect(Self.cells(Self.packed(cells)) == cells.map { $0 ?? "kept apart" })
        }
    }

    @Test func `a single cell is found without reading the others`() {
        let bytes = Self.packed(["a", nil, "", "três"])
        func cell(_ index: Int, _ bytes: [UInt8]) -> String? {
            bytes.withUnsafeBytes { PackedCells.range(of: index, in: $0) }.map {
                String(decoding: bytes[$0], as: UTF8.self)
            }
        }
        #expect((0..<5).map { cell($0, bytes) } == ["a", nil, "", "três", nil])
        for length in 0..<bytes.count { #expect(cell(3, Array(bytes.prefix(length))) == nil) }
        #expect(cell(0, [UInt8](repeating: 0xFF, count: 10)) == nil)
    }

    @Test func `an empty cell takes one byte and a short one its length plus one`() {
        #expect(Self.packed(["", "read", ""]).count == 7)
    }

    @Test func `damaged cells yield those before the damage`() {
        let whole = Self.packed(["one", "two", nil, "three"])
        for length in 0..<whole.count {
            let part = Self.cells(Array(whole.prefix(length)))
            #expect(part == Array(["one", "two", "kept apart"].prefix(part.count)))
        }
        #expect(Self.cells([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]).isEmpty)
    }
}
