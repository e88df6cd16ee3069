import Bytes
package import System

/// A static embedding model: a vector for each token. The vector of a text is the mean of its tokens' vectors, of length 1.
///
/// It is read from a safetensors file with a `tokenizer.json` beside it, as model2vec (potion) and WordLlama publish them.
/// It needs no other program, and the same text has the same vector on every machine.
package final class StaticModel: Sendable {
    /// The path of the table.
    package let path: String
    /// The file's name without its extension.
    package let name: String
    /// Identifies the content of table and tokenizer: 16 hexadecimal digits.
    package let revision: String
    private let table: SafetensorsFile
    private let tokenizer: Tokenizer
    /// Scratch memory of finished batches, for the next ones.
    private let spare = Guarded<[Tokenizer.Memory]>([])

    /// Reads a model.
    ///
    /// - Parameter path: The path of the safetensors file.
    /// - Throws: `.missing` if one of the files does not exist, `.unusableInput` if one is damaged, if it has another layout,
    ///   or if they do not belong together.
    package init(_ path: String) throws(ETLError) {
        table = try SafetensorsFile(path)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let tokenizerPath = "\(folder)tokenizer.json"
        let content = try MappedFile(tokenizerPath, copyingUpTo: Tokenizer.mostBytes)
        guard content.bytes.count <= Tokenizer.mostBytes else {
            throw ETLError(
                .unusableInput, "`\(tokenizerPath)` is larger than \(Tokenizer.mostBytes >> 20) MB.",
                advice: "Use the tokenizer.json that was published with the model.")
        }
        tokenizer = try Tokenizer(content, tokenizerPath)
        guard tokenizer.lastToken < table.rowCount else {
            throw ETLError(
                .unusableInput,
                "`\(path)` and `\(tokenizerPath)` do not belong together: \(table.rowCount) vectors, and a token with the "
                    + "number \(tokenizer.lastToken).",
                advice: "Use the tokenizer.json that was published with the model.")
        }
        self.path = path
        let file = path[folder.endIndex...]
        name = String(file.hasSuffix(".safetensors") ? file.dropLast(".safetensors".count) : file)
        let hash = KeyHash.hash(table.file.bytes, seed: KeyHash.hash(content.bytes))
        let digits = String(hash, radix: 16)
        revision = String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Numbers of a vector.
    package var dimension: Int { table.columnCount }

    /// The tokens of a text.
    package func tokens(of text: String) -> [Int32] { tokenizer.tokens(of: text) }

    /// The vectors of texts, one after the other, each of length 1. A text without tokens has a vector of zeros.
    package func vectors(of texts: [String]) -> [Float] {
        var memory = spare.withLock { $0.popLast() } ?? Tokenizer.Memory()
        var result: [Float] = []
        result.reserveCapacity(texts.count * dimension)
        var (sum, tokens) = ([Float](repeating: 0, count: dimension), [Int32]())
        for text in texts {
            for index in sum.indices { sum[index] = 0 }
            tokens.removeAll(keepingCapacity: true)
            tokenizer.append(Array(text.utf8), to: &tokens, &memory)
            for token in tokens { table.add(Int(token), to: &sum) }
            UnitVector.normalize(&sum)
            result += sum
        }
        let returned = memory
        spare.withLock { $0.append(returned) }
        return result
    }
}
