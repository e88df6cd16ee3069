import Formats
import Syntax
import System
import TestSupport
import Testing

@Suite struct MARCJSONFramingTests {
    /// The order of the members of a record's object.
    enum Order: CaseIterable {
        case leaderFirst, fieldsFirst, numberFirst, between

        func object(_ number: Int) -> String {
            let leader = "\"leader\": \"00000nam a2200000 a 4500\""
            let fields = """
                "fields":[{"001":"n\(number)"},{"245":{"ind1":"1","ind2":"0","subfields":[{"a":"Reef :"},{"b":"a \\"novel\\""}]}}]
                """
            switch self {
            case .leaderFirst: return "{\(leader), \(fields)}"
            case .fieldsFirst: return "{\(fields), \(leader)}"
            case .numberFirst: return "{\"_id\":{\"$oid\":\"5f\"},\(leader),\(fields)}"
            case .between:
                return "{\"id\":\(number), \(fields), \"tags\":[\"a\"], \(leader), \"by\":{\"x\":\"y\"}}"
            }
        }
    }

    /// Arrangement of objects in a file.
    enum Layout: CaseIterable {
        case list, compact, lines, wrapped, each

        func file(_ objects: [String]) -> String {
            switch self {
            case .list: "[\n\(objects.joined(separator: ",\n  "))\n]\n"
            case .compact: "[\(objects.joined(separator: ","))]"
            case .lines: objects.map { $0 + "\n" }.joined()
            case .wrapped:
                "{\"header\":{\"n\":1},\"rows\":[\(objects.joined(separator: ","))],\"total\":\(objects.count)}"
            case .each:
                "[\(objects.map { "{\"id\":\"7\",\"parsed\":{\"content\":\($0)},\"meta\":{\"by\":\"x\"}}" }.joined(separator: ",\n"))]"
            }
        }
    }

    private func records(_ text: String) throws -> [StreamedRecord] {
        try StreamedRecord.all(
            of: MARCJSONStream(PiecedBytes(text.utf8), limits: .standard, from: .start)
        ).records
    }

    /// Control numbers of the readable records.
    private func numbers(_ found: [StreamedRecord]) -> [String] {
        found.filter { $0.flags.isDisjoint(with: .unreadable) }.compactMap(\.cells.first)
    }

    @Test(arguments: Order.allCases, Layout.allCases)
    func `records are found with their keys in any order`(order: Order, layout: Layout) throws {
        let found = try records(layout.file((1...4).map(order.object)))
        #expect(found.map(\.flags) == [[], [], [], []])
        #expect(numbers(found) == ["n1", "n2", "n3", "n4"])
    }

    @Test(arguments: Order.allCases, Layout.allCases)
    func `valid records around a damaged one are read, and the damage is reported`(
        order: Order, layout: Layout
    ) throws {
        let whole = Array(order.object(0).utf8)
        let marks = Array("{}[]\",:\\".utf8)
        var damages = whole.indices.filter { marks.contains(whole[$0]) }.map { at in
            whole[..<at] + whole[(at + 1)...]
        }
        // From 80 bytes on each has a key of a record.
        damages += stride(from: 80, to: whole.count, by: 7).map { whole[..<$0] }
        for (index, damage) in damages.enumerated() {
            var objects = (1...2).map(order.object)
            objects.insert(String(decoding: damage, as: UTF8.self), at: index % 3)
            let file = layout.file(objects)
            let found = try records(file)
            #expect(numbers(found).filter { $0 == "n1" || $0 == "n2" } == ["n1", "n2"], "\(file)")
            #expect(found.count >= 3, "\(file)")
        }
    }

    @Test(arguments: Order.allCases, Layout.allCases)
    func `a line break within a string loses nothing`(order: Order, layout: Layout) throws {
        let broken = order.object(0).replacing("Reef :", with: "Reef,\n    a\tnovel\n  ")
        for place in 0...2 {
            var objects = (1...2).map(order.object)
            objects.insert(broken, at: place)
            let found = try records(layout.file(objects))
            #expect(found.map(\.flags.rawValue).reduce(0, |) == RecordFlags.bareControls.rawValue)
            #expect(Set(numbers(found)) == ["n0", "n1", "n2"])
        }
    }

    @Test(arguments: [16, 64])
    func `a record after more other content than the limit is found`(block: Int) throws {
        let rows = Order.allCases.enumerated().map { $1.object($0) }.joined(separator: ",")
        // Long enough that cuts of the input fall on each byte of the first key.
        for padding in 0..<300 {
            let about = String(repeating: "x", count: 400 + padding)
            let stream = MARCJSONStream(
                PiecedBytes("{\"about\":\"\(about)\",\"rows\":[\(rows)]}".utf8),
                limits: RecordLimits(recordBytes: 300), from: .start, blockBytes: block)
            #expect(numbers(try StreamedRecord.all(of: stream).records) == ["n0", "n1", "n2", "n3"])
        }
    }

    @Test func `a record whose beginning was dropped is reported`() throws {
        let long = String(repeating: "x", count: 5_000)
        let text = "{\"rows\":[{\"_id\":\"\(long)\",\(Order.leaderFirst.object(1).dropFirst())]}"
        let stream = MARCJSONStream(
            PiecedBytes(text.utf8), limits: RecordLimits(recordBytes: 3_000), from: .start, blockBytes: 64)
        #expect(try StreamedRecord.all(of: stream).records.map(\.flags) == [.unreadable])
        // A bracket that closes too early does not hide a record.
        let found = try records(
            "[{\"id\": 1}, \(Order.leaderFirst.object(1).dropFirst()), \(Order.between.object(2))]")
        #expect(found.map(\.flags) == [.unreadable, []])
    }

    @Test func `record keys used as values or for other content make no record`() throws {
        let row = Order.leaderFirst.object(1)
        for head in [
            "\"sort\":\"leader\"", "\"fields\":[\"leader\",\"245\"]", "\"fields\":\"leader\"",
            "\"leader\":{\"of\":1}",
            "\"fields\":{\"leader\":1}", "\"sort\":[\"fields\",\"leader\"]", "\"leader\":null",
        ] {
            let found = try records("{\(head),\"records\":[\(row),\(row)]}")
            #expect(numbers(found) == ["n1", "n1"], "\(head)")
            #expect(found.map(\.flags) == [[], []], "\(head)")
        }
        // An unrelated leader may be reported, but costs no record.
        let found = try records("{\"leader\":\"Jane Doe\",\"records\":[\(row),\(row)]}")
        #expect(numbers(found) == ["n1", "n1"])
    }

    @Test func `records nested in a complete record belong to it`() throws {
        let holding = Order.leaderFirst.object(7)
        let held = "\"holdings\":[\(holding),\(holding)]"
        let outer = Order.leaderFirst.object(1)
        let behind = "\(outer.dropLast()),\(held)}"
        let before = outer.replacing("\"fields\"", with: "\(held),\"fields\"")
        for object in [behind, before] {
            let found = try records("[\(object),\(object)]")
            #expect(found.map(\.flags) == [[], []])
            #expect(numbers(found) == ["n1", "n1"])
        }
        // If the outer record is not complete, they follow it.
        let open = "\(outer.dropLast()),\"tags\":[\"a\""
        for (rest, more) in [("", 0), (",\(outer)]", 1), (",\(outer),\(outer)", 2), ("}\n\(outer)", 1)] {
            let found = try records("[\(open),\(outer)\(rest)")
            #expect(
                found.map { $0.flags.contains(.unreadable) } == [true]
                    + Array(repeating: false, count: 1 + more))
        }
    }

    @Test func `deeply nested open records are not scanned repeatedly`() throws {
        let part = Array("{\"leader\":\"x\",\"a\":[".utf8)
        var stream = MARCJSONStream(
            RepeatedBytes(part, times: 3_000), limits: .standard, from: .start, blockBytes: 1 << 14)
        #expect(try StreamedRecord.count(in: &stream) == 3_000)
        // Only bytes that may be scanned again are held.
        #expect(stream.heldBytes <= 1 << 15)
    }

    @Test(arguments: Order.allCases, Layout.allCases)
    func `records are the same however the input is cut`(order: Order, layout: Layout) throws {
        let open = order.object(2).dropLast(9)
        let quote = order.object(3).replacing("Reef :\"", with: "Reef :\n")
        let text = layout.file([order.object(1), String(open), quote, order.object(4)])
        let violations = try StreamContract.violations(Array(text.utf8)) {
            MARCJSONStream($0, limits: .standard, from: $1, blockBytes: $2)
        }
        #expect(violations == [])
    }
}
