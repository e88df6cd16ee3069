import CVectors
import Dispatch
import Glibc
import System
import Vectors

/// Writes vectors to a file, opens it, and searches for the nearest: time, recall against exact numbers, and the time that a
/// plain loop takes for the products of as many int8 numbers in memory.
///
/// The vectors are 2,000 random centers with noise, of length 1. Usage: `vector-rate FOLDER [COUNT] [DIMENSION]`. With `FLOATS=FILE`
/// in the environment it also writes the vectors and the queries as 32-bit numbers, for other programs.
@main
struct VectorRate {
    private static let queries = 200
    private static let centers = 2_000
    private static let batch = 8_192

    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        guard let folder = words.first else {
            print("usage: vector-rate FOLDER [COUNT] [DIMENSION]")
            exit(64)
        }
        let numbers = words.dropFirst().compactMap { Int($0) }
        let (count, dimension) = (numbers.first ?? 1_000_000, numbers.count > 1 ? numbers[1] : 256)
        let path = "\(folder)/vector-rate.vectors"
        unlink(path)
        var random = SplitMix(state: 7)
        let centers = (0..<centers).map { _ in vector(dimension, &random, around: nil) }
        let asked = (0..<queries).map { vector(dimension, &random, around: centers[$0]) }
        var exact = [BestTen](repeating: BestTen(), count: queries)
        let floats = getenv("FLOATS").map { fopen($0, "w") } ?? nil
        let model = VectorModel(name: "random", revision: "1", dimension: dimension, source: "")
        let writer = try VectorWriter(path, model)
        var writing = 0.0
        for first in stride(from: 0, to: count, by: batch) {
            let rows = min(batch, count - first)
            var part: [Float] = []
            part.reserveCapacity(rows * dimension)
            for _ in 0..<rows {
                part += vector(dimension, &random, around: centers[Int(random.next() % 2_000)])
            }
            if let floats { fwrite(part, 4, part.count, floats) }
            for (number, query) in asked.enumerated().prefix(20) { exact[number].offer(part, first, query) }
            let items = (first..<first + rows).map { VectorItem(id: Int64($0 + 1), key: 1, text: 1) }
            writing += try seconds { () throws(ETLError) in try writer.append(items, part) }
        }
        writing += try seconds { () throws(ETLError) in try writer.finish() }
        if let floats {
            for query in asked { fwrite(query, 4, query.count, floats) }
            fclose(floats)
        }
        print("\(count) vectors of \(dimension) numbers")
        print("write    \(round(writing)) s")
        var opened: VectorFile?
        print(
            "open     \(round(try seconds { () throws(ETLError) in opened = try VectorFile(path) } * 1_000)) ms"
        )
        guard let file = opened else { return }
        var times: [Double] = []
        var found = 0
        for (number, query) in asked.enumerated() {
            var hits: [VectorFile.Hit] = []
            times.append(
                try seconds { () throws(ETLError) in hits = file.nearest(to: query, atMost: 10) } * 1_000)
            if number < 20 { found += Set(hits.map(\.row)).intersection(exact[number].rows).count }
        }
        times = times.dropFirst(5).sorted()
        print(
            "query    p50 \(round(times[times.count / 2])) ms, p95 \(round(times[times.count * 95 / 100])) ms"
        )
        print("recall   \(Double(found) / 200) at 10")
        let loop = try plainLoop(count, dimension)
        print(
            "loop     p50 \(round(loop)) ms; a query takes \(round(times[times.count / 2] / loop)) of its time"
        )
    }

    /// The median time in milliseconds for all products on all processors, without files, items and the best rows.
    private static func plainLoop(_ count: Int, _ dimension: Int) throws -> Double {
        let width = (dimension + 31) & ~31
        let bytes = [Int8](repeating: 3, count: count * width)
        let query = [Int16](repeating: 5, count: width)
        let parts = ThreadPool.processorCount
        let sum = Guarded<Int64>(0)
        var times: [Double] = []
        for _ in 0..<21 {
            times.append(
                try seconds {
                    DispatchQueue.concurrentPerform(iterations: parts) { part in
                        var products = [Int32](repeating: 0, count: 1_024)
                        var total: Int64 = 0
                        bytes.withUnsafeBufferPointer { bytes in
                            guard let start = bytes.baseAddress else { return }
                            for first in stride(
                                from: count * part / parts, to: count * (part + 1) / parts, by: 1_024)
                            {
                                let rows = min(1_024, count * (part + 1) / parts - first)
                                vectors_scan(query, start + first * width, width, rows, &products)
                                total += Int64(products[rows - 1])
                            }
                        }
                        sum.withLock { [total] in $0 += total }
                    }
                } * 1_000)
        }
        return times.sorted()[times.count / 2]
    }

    private static func round(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

    private static func seconds(_ body: () throws(ETLError) -> Void) throws(ETLError) -> Double {
        let (clock, start) = (SystemClock(), SystemClock().nanoseconds())
        try body()
        return Double(clock.nanoseconds() - start) / 1e9
    }

    private static func vector(_ dimension: Int, _ random: inout SplitMix, around center: [Float]?) -> [Float]
    {
        var vector = (0..<dimension).map { _ in random.bell() }
        if let center { for index in vector.indices { vector[index] = center[index] + vector[index] * 0.05 } }
        UnitVector.normalize(&vector)
        return vector
    }
}

/// The ten rows that are nearest to a query, by 32-bit numbers.
private struct BestTen {
    private var best: [(row: Int, product: Float)] = []
    var rows: Set<Int> { Set(best.map(\.row)) }

    mutating func offer(_ vectors: [Float], _ first: Int, _ query: [Float]) {
        vectors.withUnsafeBufferPointer { vectors in
            query.withUnsafeBufferPointer { query in
                for row in 0..<vectors.count / query.count {
                    var sum = SIMD16<Float>()
                    let start = row * query.count
                    for index in stride(from: 0, to: query.count & ~15, by: 16) {
                        guard let rows = vectors.baseAddress, let asked = query.baseAddress else { return }
                        let (a, b) = (UnsafeRawPointer(rows + start + index), UnsafeRawPointer(asked + index))
                        sum +=
                            a.loadUnaligned(as: SIMD16<Float>.self) * b.loadUnaligned(as: SIMD16<Float>.self)
                    }
                    let product = sum.sum()
                    guard best.count < 10 || product > best[9].product else { continue }
                    best.append((first + row, product))
                    best.sort { $0.product > $1.product }
                    if best.count > 10 { best.removeLast() }
                }
            }
        }
    }
}

/// Random numbers that are the same in every run.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Nearly a normal distribution: the sum of four numbers.
    mutating func bell() -> Float {
        let bits = next()
        var sum: Float = 0
        for shift in 0..<4 { sum += Float(Int16(truncatingIfNeeded: bits >> (UInt64(shift) * 16))) }
        return sum / 65_536
    }
}
