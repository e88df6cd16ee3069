import Foundation

/// A static model of a few words, made for tests: each word of a topic points in the topic's direction, and every other
/// word is spelled in letters, which hardly count.
package enum TinyModel {
    /// Words by topic. A topic's number is its direction.
    package static let topics = [
        ["dragon", "wizard", "magic", "fantasy", "sword", "elf"],
        ["space", "planet", "robot", "science", "rocket", "future"],
        ["murder", "detective", "mystery", "crime", "police", "clue"],
        ["love", "romance", "wedding", "heart", "kiss", "bride"],
        ["war", "history", "king", "battle", "army", "empire"],
        ["grief", "quiet", "japan", "loss", "memory", "sea"],
    ]
    /// Numbers of a vector.
    package static let dimension = 40

    private static let letters = "abcdefghijklmnopqrstuvwxyz0123456789".map(String.init)

    /// The tokens in the order of their ids.
    package static let tokens = ["[UNK]"] + topics.joined() + letters + letters.map { "##\($0)" }

    /// The vector of each token.
    package static let vectors: [[Float]] = {
        var vectors = [[Float](repeating: 0, count: dimension)]
        for (topic, words) in topics.enumerated() {
            for number in words.indices {
                var vector = [Float](repeating: 0, count: dimension)
                vector[topic] = 1
                vector[8 + number] = 0.25
                vectors.append(vector)
            }
        }
        for number in 0..<letters.count * 2 {
            var vector = [Float](repeating: 0, count: dimension)
            vector[16 + number % 24] = 0.0625
            vectors.append(vector)
        }
        return vectors
    }()

    /// A tokenizer of word pieces.
    package static func tokenizer(_ tokens: [String] = tokens) -> String {
        let entries = tokens.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",")
        return """
            {"version":"1.0","normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,
            "strip_accents":null,"lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},
            "model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",
            "max_input_chars_per_word":100,"vocab":{\(entries)}}}
            """
    }

    /// A table of float numbers as a safetensors file.
    ///
    /// - Parameters:
    ///   - shape: The shape that the header claims; nil for the real one.
    ///   - type: The type that it claims.
    package static func table(
        _ vectors: [[Float]] = vectors, named name: String = "embeddings", shape: String? = nil,
        type: String = "F32"
    ) -> [UInt8] {
        let numbers = vectors.joined().flatMap { number in
            withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
        }
        let shape = shape ?? "[\(vectors.count),\(vectors.first?.count ?? 0)]"
        let header = Array(
            #"{"\#(name)":{"dtype":"\#(type)","shape":\#(shape),"data_offsets":[0,\#(numbers.count)]}}"#.utf8)
        return withUnsafeBytes(of: UInt64(header.count).littleEndian) { Array($0) } + header + numbers
    }

    /// Writes the model into a folder.
    ///
    /// - Returns: The path of its table.
    @discardableResult
    package static func write(
        to folder: String, named name: String = "tiny", table: [UInt8] = table(),
        tokenizer: String = tokenizer()
    ) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/\(name).safetensors"
        try Data(table).write(to: URL(fileURLWithPath: path))
        try Data(tokenizer.utf8).write(to: URL(fileURLWithPath: "\(folder)/tokenizer.json"))
        return path
    }
}
