import Bytes

/// How far a reader is with a book, whatever an exporter calls it. Raw values are the names of Goodreads' shelves,
/// and of those that readers there add.
enum ReadingStatus: String {
    case read
    case reading = "currently-reading"
    case toRead = "to-read"
    case notFinished = "did-not-finish"
    case paused

    /// The status that a cell names; nil for a shelf of the reader's own.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let trimmed = bytes.trimmedBlanks
        guard (3...24).contains(trimmed.count) else { return nil }
        let key = String(decoding: bytes[trimmed], as: UTF8.self).lowercased()
            .split { $0 == " " || $0 == "-" || $0 == "_" }.joined(separator: " ")
        guard let status = Self.words[key] else { return nil }
        self = status
    }

    private static let words: [String: ReadingStatus] = [
        "read": .read, "already read": .read, "finished": .read, "completed": .read, "have read": .read,
        "gelesen": .read, "lu": .read, "leído": .read,
        "currently reading": .reading, "reading": .reading, "in progress": .reading, "current": .reading,
        "to read": .toRead, "want to read": .toRead, "planned": .toRead, "unread": .toRead, "tbr": .toRead,
        "not begun": .toRead, "not started": .toRead,
        "did not finish": .notFinished, "dnf": .notFinished, "abandoned": .notFinished,
        "stopped reading": .notFinished, "stopped": .notFinished, "unfinished": .notFinished,
        "paused": .paused, "on hold": .paused,
    ]
}
