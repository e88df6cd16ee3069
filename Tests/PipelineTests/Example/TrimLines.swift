import Pipeline
import System

struct TrimLines: Stage {
    static let longest = Setting.integer(
        "longest", default: 80, in: 1...10_000, "Characters a line may have after trimming.")

    let longest: Int

    func process(_ batch: consuming Batch<Lines>) async throws(ETLError) -> Batch<Lines> {
        var kept = Lines(texts: [], numbers: [])
        for (text, number) in zip(batch.payload.texts, batch.payload.numbers) {
            let trimmed = text.drop { $0 == " " }
            if trimmed.count > longest {
                batch.rejects.append(
                    Reject(
                        position: Position(byte: 0, line: number, record: number), stage: "TrimLines",
                        code: "line_too_long", message: "The line is longer than \(longest) characters.",
                        raw: text.utf8))
            } else {
                kept.texts.append(String(trimmed))
                kept.numbers.append(number)
            }
        }
        batch.payload = kept
        return batch
    }
}
