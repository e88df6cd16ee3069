import Bytes
import CScan
import TestSupport
import Testing

/// Results of the scans for the ends of fields, by each instruction set, and their packing.
@Suite struct FieldBoundariesTests {
    /// The result of scanning a text, stretch by stretch.
    private struct Scan: Equatable {
        var ends: [UInt16] = []
        var flags: [UInt8] = []
        var notes: [UInt16] = []
        var words: [UInt64] = []
    }

    private typealias Scanner =
        @Sendable (
            UnsafePointer<UInt8>, Int, UInt8, UInt8, UInt64, UnsafeMutablePointer<scan_csv_stretch>,
            UnsafePointer<scan_csv_fields>
        ) -> Void

    private static let places: [UInt16] = (0..<256).flatMap { byte in
        let set = (0..<8).filter { byte >> $0 & 1 == 1 }
        return (0..<8).map { $0 < set.count ? UInt16(set[$0]) : 0 }
    }

    private func scan(_ text: [UInt8], quoting: Bool, _ scanner: Scanner) -> Scan {
        var result = Scan()
        var stretch = scan_csv_stretch()
        stretch.after_field = 1
        let room = Int(SCAN_STRETCH + SCAN_AHEAD)
        var (ends, flags) = ([UInt16](repeating: 0, count: room), [UInt8](repeating: 0, count: room))
        var notes = ends
        var places = Self.places
        for from in stride(from: 0, to: text.count, by: Int(SCAN_STRETCH)) {
            let count = min(text.count - from, Int(SCAN_STRETCH))
            text[from...].withUnsafeBufferPointer { text in
                ends.withUnsafeMutableBufferPointer { ends in
                    flags.withUnsafeMutableBufferPointer { flags in
                        notes.withUnsafeMutableBufferPointer { notes in
                            places.withUnsafeMutableBufferPointer { places in
                                guard let text = text.baseAddress else { return }
                                var fields = scan_csv_fields(
                                    ends: ends.baseAddress, flags: flags.baseAddress,
                                    notes: notes.baseAddress, places: places.baseAddress)
                                scanner(text, count, 44, 34, quoting ? ~0 : 0, &stretch, &fields)
                            }
                        }
                    }
                }
            }
            result.ends += ends[..<Int(stretch.ends)]
            result.flags += flags[..<Int(stretch.ends)]
            result.notes += notes[..<Int(stretch.notes)]
            result.words += [stretch.odd, stretch.quoted_line_ends, stretch.adjoining_ends == 0 ? 0 : 1]
            if count == Int(SCAN_STRETCH) {
                result.words += [
                    stretch.inside, stretch.after_quote, stretch.after_field, stretch.doubled,
                    stretch.irregular,
                ]
            }
        }
        return result
    }

    private static let portable: Scanner = { scan_csv_ends_portable($0, $1, $2, $3, $4, $5, $6) }

    @Test func `flags and notes are those of the fields`() {
        let text = #"a,"b","c""d",e"f,"g"h,"i""# + "\n\n"
        let scan = scan(Array(text.utf8), quoting: true, Self.portable)
        #expect(scan.ends == [1, 5, 12, 16, 21, 25, 26])
        let irregular = UInt8(SCAN_IRREGULAR)
        #expect(
            scan.flags == [
                0, UInt8(SCAN_ENCLOSED), UInt8(SCAN_ENCLOSED | SCAN_DOUBLED), irregular, irregular,
                UInt8(SCAN_ENCLOSED | SCAN_RECORD), UInt8(SCAN_RECORD),
            ])
        #expect(scan.notes == [2, 3, 4, 5, 6])
        // The bytes after the end of the text count as odd.
        #expect(scan.words == [1, 0, 1])
    }

    @Test func `four blocks at once give the same result as one by one`() {
        var generator = SeededGenerator(seed: 14)
        var regular = 0
        for round in 0..<600 {
            // With more quotes almost every text would have an irregular one.
            let text = (0..<Int.random(in: 1...600, using: &generator)).flatMap { _ in
                [
                    "a,", "b\n", "\r\n", "\"c\",", "\"d,\n\",", "\"\"\"e\"\"\",", "\"\",", "f\"g,",
                    "hijklmno,",
                ][
                    .random(in: 0..<(round % 8 == 0 ? 9 : 7), using: &generator)
                ].utf8
            }.prefix(Int(SCAN_STRETCH))
            var stretch = scan_csv_stretch()
            stretch.after_field = 1
            var blocks = scan_csv_blocks()
            let count = Array(text).withUnsafeBufferPointer {
                $0.baseAddress.map { scan_csv_classify($0, text.count, 44, 34, ~0, &stretch, &blocks) } ?? 0
            }
            var (plainBlocks, plainStretch) = (blocks, stretch)
            guard scan_csv_quoting(&blocks, count, &stretch) != 0 else { continue }
            regular += 1
            scan_csv_quoting_irregular(&plainBlocks, count, &plainStretch)
            func words(_ array: some Any) -> [UInt64] {
                withUnsafeBytes(of: array) { Array($0.bindMemory(to: UInt64.self).prefix(count)) }
            }
            #expect(words(blocks.ends) == words(plainBlocks.ends))
            #expect(words(blocks.records) == words(plainBlocks.records))
            #expect(words(blocks.enclosed) == words(plainBlocks.enclosed))
            #expect(words(blocks.doubled) == words(plainBlocks.doubled))
            #expect(words(plainBlocks.irregular).allSatisfy { $0 == 0 })
            #expect(stretch.quoted_line_ends == plainStretch.quoted_line_ends)
            #expect((stretch.adjoining_ends != 0) == (plainStretch.adjoining_ends != 0))
            if text.count == Int(SCAN_STRETCH) {
                #expect(stretch.inside == plainStretch.inside)
                #expect(stretch.after_quote == plainStretch.after_quote)
                #expect(stretch.after_field == plainStretch.after_field)
            }
        }
        #expect(regular > 300)
    }

    #if arch(x86_64)
    @Test(.enabled(if: scan_has_avx2() != 0, "needs a processor with AVX2"))
    func `all instruction sets find the same`() {
        var generator = SeededGenerator(seed: 11)
        for round in 0..<200 {
            let text = CSVRandomInputTests.randomInput(maxSymbols: round % 8 == 0 ? 3000 : 200, &generator)
            for quoting in [true, false] {
                let narrow = scan(text, quoting: quoting, Self.portable)
                let wide = scan(text, quoting: quoting) { scan_csv_ends_avx2($0, $1, $2, $3, $4, $5, $6) }
                // Correct on every processor, though slow on some.
                let gathered = scan(text, quoting: quoting) { scan_csv_ends_pext($0, $1, $2, $3, $4, $5, $6) }
                #expect(narrow == wide, "\(text)")
                #expect(narrow == gathered, "\(text)")
            }
        }
    }

    @Test(.enabled(if: scan_has_avx2() != 0, "needs a processor with AVX2"))
    func `all instruction sets make the same cells`() {
        var generator = SeededGenerator(seed: 12)
        let cells = { (count: Int) in [Text](repeating: .none, count: count + 8) }
        for count in 0..<60 {
            var ends: [UInt16] = [3]
            var flags: [UInt8] = []
            for _ in 0..<count + 8 {
                let isEnclosed = Bool.random(using: &generator)
                ends.append(
                    ends[ends.count - 1] + (isEnclosed ? 3 : 1) + .random(in: 0...3, using: &generator))
                flags.append(UInt8(isEnclosed ? SCAN_ENCLOSED | SCAN_DOUBLED : SCAN_RECORD))
            }
            var (narrow, wide) = (cells(count), cells(count))
            ends.withUnsafeBufferPointer {
                guard let ends = $0.baseAddress else { return }
                scan_csv_cells_portable(ends + 1, flags, count, 7, &narrow)
                scan_csv_cells_avx2(ends + 1, flags, count, 7, &wide)
            }
            #expect(narrow == wide)
            for (index, cell) in narrow.prefix(count).enumerated() {
                let enclosed = UInt32(flags[index]) & UInt32(SCAN_ENCLOSED)
                let start = UInt32(ends[index]) + 1 + enclosed
                let length = UInt32(ends[index + 1]) - start - enclosed
                #expect(cell == (length == 0 ? .none : Text(offset: start + 7, length: length)))
            }
        }
    }
    #endif

    @Test func `the parity of every prefix is correct`() {
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<1000 {
            let bits = UInt64.random(in: 0...(.max), using: &generator)
            var expected: UInt64 = 0
            for place in 0..<64 where (bits << UInt64(63 - place)).nonzeroBitCount % 2 == 1 {
                expected |= 1 << UInt64(place)
            }
            #expect(scan_parity(SIMD4(repeating: bits)) == SIMD4(repeating: expected))
        }
    }

    @Test func `the memory layout of a cell is the one the scans write`() {
        #expect(MemoryLayout<Text>.size == 8)
        #expect(MemoryLayout<Text>.offset(of: \.offset) == 0)
        #expect(MemoryLayout<Text>.offset(of: \.length) == 4)
    }
}
