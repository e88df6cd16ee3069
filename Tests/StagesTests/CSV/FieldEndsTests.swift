import CScan
import Stages
import TestSupport
import Testing

/// What the scans for fields' ends say, by whatever instructions, and how it comes out of them.
@Suite struct FieldEndsTests {
    /// What one scan of a text says, stretch after stretch.
    private struct Scan: Equatable {
        var ends: [UInt32] = []
        var notes: [UInt32] = []
        var words: [UInt64] = []
    }

    private typealias Scanner = (
        UnsafePointer<UInt8>, Int, Int, UInt8, UInt8, UInt64, UnsafeMutablePointer<scan_csv_stretch>,
        UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>
    ) -> Void

    private func scan(_ text: [UInt8], quoting: Bool, _ scanner: Scanner) -> Scan {
        var result = Scan()
        var stretch = scan_csv_stretch()
        stretch.after_field = 1
        var ends = [UInt32](repeating: 0, count: Int(SCAN_STRETCH + SCAN_AHEAD))
        var notes = [UInt32](repeating: 0, count: Int(SCAN_STRETCH) + 2)
        for from in stride(from: 0, to: text.count, by: Int(SCAN_STRETCH)) {
            let count = min(text.count - from, Int(SCAN_STRETCH))
            scanner(text, from, count, 44, 34, quoting ? ~0 : 0, &stretch, &ends, &notes)
            result.ends += ends[..<Int(stretch.ends)]
            result.notes += notes[..<Int(stretch.notes)]
            result.words += [
                stretch.inside, stretch.after_quote, stretch.after_field, UInt64(stretch.noted), stretch.odd,
                stretch.quoted_line_ends,
            ]
        }
        return result
    }

    #if arch(x86_64)
    @Test(.enabled(if: scan_has_avx2() != 0, "This machine has no AVX2."))
    func widerRegistersSeeTheSame() {
        var generator = SeededGenerator(seed: 11)
        for round in 0..<200 {
            let text = CSVTwinTests.randomInput(maxSymbols: round % 8 == 0 ? 3000 : 200, &generator)
            for quoting in [true, false] {
                let narrow = scan(text, quoting: quoting) {
                    scan_csv_ends_portable($0, $1, $2, $3, $4, $5, $6, $7, $8)
                }
                let wide = scan(text, quoting: quoting) {
                    scan_csv_ends_avx2($0, $1, $2, $3, $4, $5, $6, $7, $8)
                }
                #expect(narrow == wide, "\(text)")
            }
        }
    }

    @Test(.enabled(if: scan_has_avx2() != 0, "This machine has no AVX2."))
    func widerRegistersMakeTheSameCells() {
        var generator = SeededGenerator(seed: 12)
        let cells = { (count: Int) in [Text](repeating: .none, count: count + 8) }
        for count in 0..<60 {
            var ends: [UInt32] = [.max]
            for _ in 0..<count + 8 {
                let before = (ends[ends.count - 1] &+ 1) & ~UInt32(SCAN_ENCLOSED)
                ends.append(
                    Bool.random(using: &generator)
                        ? before + 2 + .random(in: 0...3, using: &generator) | UInt32(SCAN_ENCLOSED)
                        : before + .random(in: 0...3, using: &generator))
            }
            var (narrow, wide) = (cells(count), cells(count))
            ends.withUnsafeBufferPointer {
                guard let ends = $0.baseAddress else { return }
                scan_csv_cells_portable(ends + 1, count, 7, &narrow)
                scan_csv_cells_avx2(ends + 1, count, 7, &wide)
            }
            #expect(narrow == wide)
            for (index, cell) in narrow.prefix(count).enumerated() {
                let isEnclosed = ends[index + 1] & UInt32(SCAN_ENCLOSED) != 0
                let start = (ends[index] &+ 1) & ~UInt32(SCAN_ENCLOSED) + (isEnclosed ? 1 : 0)
                let length = (ends[index + 1] & ~UInt32(SCAN_ENCLOSED)) - start - (isEnclosed ? 1 : 0)
                #expect(cell == (length == 0 ? .none : Text(offset: start + 7, length: length)))
            }
        }
    }
    #endif

    @Test func theParityOfEveryPrefixIsRight() {
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<1000 {
            let bits = UInt64.random(in: 0...(.max), using: &generator)
            var expected: UInt64 = 0
            for place in 0..<64 where (bits << UInt64(63 - place)).nonzeroBitCount % 2 == 1 {
                expected |= 1 << UInt64(place)
            }
            #expect(scan_parity(bits) == expected)
        }
    }

    @Test func aCellIsAsLargeAsTheScansWriteIt() {
        #expect(MemoryLayout<Text>.size == 8)
        #expect(MemoryLayout<Text>.offset(of: \.offset) == 0)
        #expect(MemoryLayout<Text>.offset(of: \.length) == 4)
    }
}
