import Foundation
import Syntax
import TestSupport
import Testing

/// A random JSON value: written by JSONWriter and by Codable, read by Foundation.
private indirect enum Tree: Encodable, JSONWritable {
    case text(String)
    case whole(Int64)
    case fraction(Double)
    case truth(Bool)
    case list([Tree])
    case fields([String: Tree])

    init(depth: Int, using random: inout SeededGenerator) {
        switch Int.random(in: 0..<(depth == 0 ? 4 : 6), using: &random) {
        case 0: self = .text(Self.randomText(using: &random))
        case 1:
            self = .whole(
                Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0..<64, using: &random))
        case 2: self = .fraction(Self.randomFraction(using: &random))
        case 3: self = .truth(Bool.random(using: &random))
        case 4:
            let count = Int.random(in: 0..<6, using: &random)
            self = .list((0..<count).map { _ in Tree(depth: depth - 1, using: &random) })
        default:
            let count = Int.random(in: 0..<6, using: &random)
            var fields: [String: Tree] = [:]
            for _ in 0..<count {
                fields[Self.randomText(using: &random)] = Tree(depth: depth - 1, using: &random)
            }
            self = .fields(fields)
        }
    }

    static func randomText(using random: inout SeededGenerator) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0x01...0x1F, 0xA0...0x7FF, 0x2020...0x2030, 0x1F300...0x1F5FF,
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<30, using: &random) {
            let range = ranges.randomElement(using: &random) ?? 0x20...0x7E
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }

    static func randomFraction(using random: inout SeededGenerator) -> Double {
        let number = Double(bitPattern: random.next())
        return number.isFinite ? number : Double(Int16(truncatingIfNeeded: random.next())) / 8
    }

    func write(into out: inout JSONWriter) {
        switch self {
        case .text(let text): out.string(text)
        case .whole(let number): out.integer(number)
        case .fraction(let number): out.number(number)
        case .truth(let truth): out.boolean(truth)
        case .list(let list): list.write(into: &out)
        case .fields(let fields):
            out.object { out in
                for (name, value) in fields {
                    out.key(name)
                    value.write(into: &out)
                }
            }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .text(let text): try value.encode(text)
        case .whole(let number): try value.encode(number)
        case .fraction(let number): try value.encode(number)
        case .truth(let truth): try value.encode(truth)
        case .list(let list): try value.encode(list)
        case .fields(let fields): try value.encode(fields)
        }
    }
}

@Suite struct JSONWriterOracleTests {
    @Test(arguments: [JSONWriter.Layout.compact, .pretty])
    func `random values read back like those written by Codable`(layout: JSONWriter.Layout) throws {
        var random = SeededGenerator(seed: 0x0DD5)
        let oracle = JSONEncoder()
        for round in 0..<400 {
            // The top value is an array because readers differ on bare values.
            let tree = Tree.list((0..<3).map { _ in Tree(depth: 4, using: &random) })
            var out = JSONWriter(layout)
            tree.write(into: &out)
            let ours = try JSONSerialization.jsonObject(with: Data(out.bytes)) as? NSArray
            let theirs = try JSONSerialization.jsonObject(with: oracle.encode(tree)) as? NSArray
            #expect(ours != nil && ours == theirs, "round \(round)")
        }
    }

    @Test func `every finite double reads back with the same bits`() throws {
        var random = SeededGenerator(seed: 0xF10A)
        let numbers = (0..<5_000).map { _ in Tree.randomFraction(using: &random) }
        var out = JSONWriter()
        numbers.write(into: &out)
        let read = try JSONDecoder().decode([Double].self, from: Data(out.bytes))
        #expect(read.map(\.bitPattern) == numbers.map(\.bitPattern))
    }
}
