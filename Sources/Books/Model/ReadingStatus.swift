import Bytes

/// A reading status, whatever an exporter calls it. Raw values are the names of Goodreads' shelves, and of
/// shelves that Goodreads users commonly add.
package enum ReadingStatus: String, Sendable, CaseIterable {
    case read
    case reading = "currently-reading"
    case toRead = "to-read"
    case notFinished = "did-not-finish"
    case paused

    /// Whether a cell has one of the raw values, as most cells do. Quicker than to read it.
    package static func isUsual(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch bytes.count {
        case 4: "read" == bytes
        case 6: "paused" == bytes
        case 7: "to-read" == bytes
        case 14: "did-not-finish" == bytes
        case 17: "currently-reading" == bytes
        default: false
        }
    }

    /// The status that a cell names; nil for one of the user's own shelves.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        // The common case, without an allocation.
        if let status = Self.allCases.first(where: { bytes.elementsEqual($0.rawValue.utf8) }) {
            self = status
            return
        }
        let trimmed = bytes.trimmedBlanks
        guard (2...28).contains(trimmed.count) else { return nil }
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

    /// Whether a shelf or a collection says that its books are not owned: wish lists, and LibraryThing's collection of
    /// books that were read without being owned.
    package static func saysUnowned(_ text: String) -> Bool {
        guard !text.isEmpty else { return false }
        return unowned.contains(text.lowercased().split { " -_".contains($0) }.joined(separator: " "))
    }

    private static let unowned: Set<String> = [
        "wishlist", "wish list", "read but unowned", "wunschliste", "liste de souhaits", "pense bête",
        "pense bete", "lista de deseos", "lista dei desideri", "lista de desejos", "verlanglijst",
        "verlanglijstje",
    ]

    /// English names of all statuses, of which a misspelled one may be meant.
    package static let names =
        allCases.map(\.rawValue) + ["reading", "finished", "want to read", "unread", "abandoned", "on hold"]

    /// The words in seven languages.
    private static let words: [String: ReadingStatus] = {
        var words: [String: ReadingStatus] = [:]
        for (status, list) in lists {
            for word in list.split(separator: ";") {
                words[word.split(separator: " ").joined(separator: " ")] = status
            }
        }
        return words
    }()

    private static let lists: [(ReadingStatus, String)] = [
        (
            .read,
            """
            read; already read; read but unowned; finished; completed; have read; done; gelesen; fertig; \
            ausgelesen; beendet; bereits gelesen; durchgelesen; abgeschlossen; lu; lue; déjà lu; terminé; \
            terminée; fini; lecture terminée; leído; leido; leída; ya leído; acabado; terminado; terminada; \
            finalizado; letto; letta; già letto; finito; completato; terminato; lido; lida; já li; já lido; \
            li; concluído; finalizada; gelezen; uitgelezen; al gelezen; klaar; voltooid; afgerond
            """
        ),
        (
            .reading,
            """
            currently reading; reading; in progress; current; started; reading now; lese ich gerade; \
            lese ich; lese gerade; lese; am lesen; wird gelesen; wird gerade gelesen; angefangen; begonnen; \
            aktuell; in arbeit; en cours; en cours de lecture; lecture en cours; je lis; commencé; leyendo; \
            leyendo ahora; en progreso; en curso; empezado; in lettura; sto leggendo; in corso; iniziato; \
            lendo; estou lendo; a ler; em leitura; em andamento; bezig; aan het lezen; ben ik aan het lezen; \
            lees ik nu; lees ik; nu aan het lezen; mee bezig
            """
        ),
        (
            .toRead,
            """
            to read; want to read; planned; unread; tbr; not begun; not started; wishlist; wish list; \
            to be read; up next; will read; ungelesen; nicht gelesen; noch nicht gelesen; zu lesen; \
            will ich lesen; möchte ich lesen; wunschliste; geplant; merkliste; sub; noch zu lesen; à lire; \
            a lire; pas lu; non lu; pas encore lu; envie de lire; liste de souhaits; pense bête; pense bete; pal; por leer; \
            para leer; pendiente; pendientes; no leído; no leido; quiero leer; sin leer; deseado; \
            lista de deseos; da leggere; voglio leggere; non letto; non ancora letto; lista dei desideri; \
            desiderato; para ler; quero ler; não lido; nao lido; a ler depois; vou ler; pretendo ler; \
            lista de desejos; te lezen; wil ik lezen; nog te lezen; nog lezen; ongelezen; niet gelezen; \
            verlanglijst; verlanglijstje
            """
        ),
        (
            .notFinished,
            """
            did not finish; didn t finish; didn't finish; didnt finish; could not finish; couldn t finish; \
            couldn't finish; dnf; dnfed; dnf'd; lost interest; gave up on; never finished; not finishing; \
            abandoned; stopped reading; stopped; unfinished; gave up; not finished; \
            abgebrochen; nicht beendet; aufgegeben; abandonné; abandonnée; non terminé; pas fini; abandonado; \
            abandonada; dejado; sin terminar; no terminado; abbandonato; abbandonata; non finito; interrotto; \
            abandonei; desisti; não terminado; larguei; gestopt; niet uitgelezen; afgebroken; opgegeven
            """
        ),
        (
            .paused,
            """
            paused; on hold; pausiert; unterbrochen; pause; en pause; mis en pause; suspendu; en pausa; \
            pausado; pausada; en espera; in pausa; sospeso; in attesa; em pausa; pausei; em espera; suspenso; \
            gepauzeerd; in de wacht; op pauze
            """
        ),
    ]
}
