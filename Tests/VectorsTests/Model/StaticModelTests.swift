import Bytes
import Foundation
import System
import TestSupport
import Testing

@testable import Vectors

@Suite struct StaticModelTests {
    private let folder: TemporaryFolder

    /// - Throws: If there is no folder for temporary files.
    init() throws { folder = try TemporaryFolder() }

    private func cosine(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }

    @Test func `texts about one topic are near, and those about others are not`() throws {
        let model = try StaticModel(TinyModel.write(to: folder.path))
        let all = model.vectors(of: [
            "A dragon and a wizard", "The elf's magic SWORD", "Murder: a detective", "",
        ])
        let vectors = (0..<4).map { Array(all[$0 * model.dimension..<($0 + 1) * model.dimension]) }
        #expect(model.name == "tiny" && model.dimension == TinyModel.dimension && model.revision.count == 16)
        #expect(abs(cosine(vectors[0], vectors[0]) - 1) < 1e-5)
        #expect(cosine(vectors[0], vectors[1]) > 0.8)
        #expect(cosine(vectors[0], vectors[2]) < 0.3)
        #expect(vectors[3].allSatisfy { $0 == 0 }, "no words, no direction")
    }

    @Test func `the same text has the same vector, whatever came before it`() throws {
        let model = try StaticModel(TinyModel.write(to: folder.path))
        let alone = model.vectors(of: ["space planet zebra"])
        let later = model.vectors(of: ["zebra", "planet", "space planet zebra"])
        #expect(Array(later.suffix(model.dimension)) == alone)
    }

    @Test(arguments: ["F16", "BF16"])
    func `numbers of 16 bits give nearly the same vectors`(type: String) throws {
        let wide = try StaticModel(TinyModel.write(to: folder.file("wide")))
        let halves = TinyModel.vectors.joined().flatMap { number -> [UInt8] in
            let bits = type == "F16" ? Float16(number).bitPattern : UInt16(number.bitPattern >> 16)
            return withUnsafeBytes(of: bits.littleEndian) { Array($0) }
        }
        let rows = TinyModel.vectors.count
        let header = Array(
            #"{"__metadata__":{"x":"y"},"embedding.weight":{"dtype":"\#(type)","shape":[\#(rows),40],"data_offsets":[0,\#(halves.count)]}} "#
                .utf8)
        let table = withUnsafeBytes(of: UInt64(header.count).littleEndian) { Array($0) } + header + halves
        let narrow = try StaticModel(TinyModel.write(to: folder.file("narrow"), table: table))
        let text = ["a robot's love of the sea"]
        #expect(cosine(wide.vectors(of: text), narrow.vectors(of: text)) > 0.9999)
        #expect(wide.revision != narrow.revision)
    }

    private static let wrongTables: [(what: String, table: [UInt8], message: String)] = {
        let good = TinyModel.table()
        var infinite = TinyModel.vectors
        infinite[3][2] = .nan
        return [
            ("empty", [], "it is too short"),
            ("cut in its header", Array(good.prefix(30)), "it is cut off"),
            ("cut in half", Array(good.prefix(good.count / 2)), "it is cut off"),
            ("cut by a byte", Array(good.dropLast()), "it is cut off"),
            (
                "a page", Array("<!DOCTYPE html><html><head><title>Not Found</title>".utf8),
                "it is not a safetensors file"
            ),
            ("no JSON", [4, 0, 0, 0, 0, 0, 0, 0] + Array("{{{{".utf8), "it is not a safetensors file"),
            ("no tensor", [2, 0, 0, 0, 0, 0, 0, 0] + Array("{}".utf8), "it has no tensor"),
            (
                "another tensor", TinyModel.table(named: "lm_head"),
                "it needs one tensor of token vectors, and has \"lm_head\""
            ),
            (
                "three dimensions", TinyModel.table(shape: "[2,3,40]"),
                "its table has the shape 2 × 3 × 40, not tokens × numbers"
            ),
            (
                "a huge shape", TinyModel.table(shape: "[9000000000,40]"),
                "its table has the shape 9000000000 × 40, not tokens × numbers"
            ),
            (
                "a negative shape", TinyModel.table(shape: "[-1,40]"),
                "its table has the shape -1 × 40, not tokens × numbers"
            ),
            (
                "no rows", TinyModel.table(shape: "[0,40]"),
                "its table has the shape 0 × 40, not tokens × numbers"
            ),
            (
                "fractions", TinyModel.table(shape: "[1.5,40]"),
                "its table has the shape -1 × 40, not tokens × numbers"
            ),
            (
                "another length", TinyModel.table(shape: "[3,40]"),
                "the length of its table does not fit its shape"
            ),
            ("integers", TinyModel.table(type: "I64"), "its numbers are I64, not F32, F16 or BF16"),
            ("NaN", TinyModel.table(infinite), "its table has values that are not numbers"),
        ]
    }()

    @Test(arguments: wrongTables.indices)
    func `a table that cannot be used is refused in one sentence`(number: Int) throws {
        let (what, table, message) = Self.wrongTables[number]
        let path = try TinyModel.write(to: folder.file("\(number)"), table: table)
        let failure = refusal(of: path)
        #expect(failure?.kind == .unusableInput, "\(what)")
        #expect(failure?.message == "`\(path)` cannot be used as a model: \(message).", "\(what)")
    }

    @Test func `a tokenizer that is missing or of another model is refused`() throws {
        let path = try TinyModel.write(
            to: folder.path, tokenizer: TinyModel.tokenizer(TinyModel.tokens + ["more"]))
        #expect(refusal(of: path)?.message.contains("do not belong together: 109 vectors") == true)
        try FileManager.default.removeItem(atPath: folder.file("tokenizer.json"))
        #expect(refusal(of: path)?.kind == .missing)
        #expect(refusal(of: folder.file("none.safetensors"))?.kind == .missing)
        #expect(refusal(of: folder.path)?.kind == .missing, "a folder")
    }

    private func refusal(of path: String) -> ETLError? {
        do throws(ETLError) {
            _ = try StaticModel(path)
            return nil
        } catch {
            return error
        }
    }
}
