import Bytes

/// A reading status, whatever an exporter calls it. Raw values are the names of Goodreads' shelves, and of
/// shelves that Goodreads users commonly add.
package enum ReadingStatus: String, Sendable, CaseIterable {
    case read
    case reading = "currently-reading"
    case toRead = "to-read"
    case notFinished = "did-not-finish"
    case paused

    /// The status that a cell names; nil for one of the user's own shelves.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        let trimmed = bytes.trimmedBlanks
        guard (3...24).contains(trimmed.count) else { return nil }
        let key = String(decoding: bytes[trimmed], as: UTF8.self).lowercased()
            .split { $0 == " " || $0 == "-" || $0 == "_" }.joined(separator: " ")
        guard let status = Self.words[key] else { return nil }
        self = status
    }

    /// The status that a text names; nil for one of the user's own shelves.
    package init?(_ text: String) {
        var text = text
        guard let status = text.withUTF8({ ReadingStatus(UnsafeRawBufferPointer($0)) }) else { return nil }
        self = status
    }

    private static let words: [String: ReadingStatus] = [
        "read": .read, "already read": .read, "read but unowned": .read, "finished": .read,
        "completed": .read, "have read": .read,
        "gelesen": .read, "lu": .read, "leído": .read, "leido": .read, "letto": .read, "lido": .read,
        "gelezen": .read,
        "beendet": .read, "terminé": .read, "terminado": .read, "finito": .read, "uitgelezen": .read,
        "lese gerade": .reading, "am lesen": .reading, "wird gelesen": .reading, "en cours": .reading,
        "en cours de lecture": .reading, "leyendo": .reading, "in lettura": .reading, "lendo": .reading,
        "bezig": .reading, "aan het lezen": .reading,
        "ungelesen": .toRead, "noch nicht gelesen": .toRead, "zu lesen": .toRead, "wunschliste": .toRead,
        "à lire": .toRead, "pas lu": .toRead, "non lu": .toRead, "por leer": .toRead, "pendiente": .toRead,
        "no leído": .toRead, "da leggere": .toRead, "non letto": .toRead, "para ler": .toRead,
        "quero ler": .toRead,
        "não lido": .toRead, "te lezen": .toRead, "ongelezen": .toRead, "wishlist": .toRead,
        "wish list": .toRead,
        "abgebrochen": .notFinished, "abandonné": .notFinished, "abandonado": .notFinished,
        "abbandonato": .notFinished, "gestopt": .notFinished, "pausiert": .paused, "en pause": .paused,
        "en pausa": .paused, "in pausa": .paused, "pausado": .paused, "gepauzeerd": .paused,
        "currently reading": .reading, "reading": .reading, "in progress": .reading, "current": .reading,
        "to read": .toRead, "want to read": .toRead, "planned": .toRead, "unread": .toRead, "tbr": .toRead,
        "not begun": .toRead, "not started": .toRead,
        "did not finish": .notFinished, "dnf": .notFinished, "abandoned": .notFinished,
        "stopped reading": .notFinished, "stopped": .notFinished, "unfinished": .notFinished,
        "paused": .paused, "on hold": .paused,
    ]
}
