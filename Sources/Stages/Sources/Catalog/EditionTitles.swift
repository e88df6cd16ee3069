import Bytes

/// Titles of a work's editions that differ from the work's own title: the value `edition_title` stores for a
/// work. Each title has the ISBN of an edition with that title.
///
///     { ISBN (LEB128) · length (LEB128) · title · length (LEB128) · subtitle, usually empty }…
///
/// Titles are folded (`Folding`) because they are only compared with folded queries. The edition itself
/// has the original spelling.
struct EditionTitles {
    /// Maximum titles of a work, with their subtitles, and their maximum bytes. Some books have thousands of
    /// translations.
    static let limit = 16
    static let byteLimit = 4_096

    /// A title a search can match: an edition's title, with or without its subtitle.
    struct Form: Hashable {
        var isbn: Int64
        var text: String
        /// Whether the subtitle is part of it.
        var hasSubtitle: Bool
    }

    /// An edition's title.
    private struct Title: Equatable {
        var title: [UInt8]
        var subtitle: [UInt8]
    }

    private(set) var bytes: [UInt8] = []
    private var titles: [Title] = []

    /// Appends a title unless it is already there or exceeds a limit.
    mutating func append(isbn: Int64, title: [UInt8], subtitle: [UInt8]) {
        let title = Title(title: title, subtitle: subtitle)
        guard titles.count < Self.limit, !titles.contains(title) else { return }
        let count = bytes.count
        Varint.append(UInt64(bitPattern: isbn), to: &bytes)
        for text in [title.title, title.subtitle] {
            Varint.append(UInt64(text.count), to: &bytes)
            bytes.append(contentsOf: text)
        }
        guard bytes.count <= Self.byteLimit else { return bytes.removeSubrange(count...) }
        titles.append(title)
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        titles.removeAll(keepingCapacity: true)
    }

    /// The work's titles other than its own, each once, without and with subtitles. Reading stops at damaged
    /// bytes.
    static func forms(_ bytes: UnsafeRawBufferPointer, besides own: SearchText) -> [Form] {
        var forms: [Form] = []
        var seen: Set<String> = ["", own.title, own.wholeTitle]
        var offset = 0
        func text() -> String? {
            guard let length = Varint.take(bytes, at: &offset, atMost: 4),
                length <= UInt64(bytes.count - offset)
            else { return nil }
            defer { offset += Int(length) }
            return String(
                decoding: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(length)]),
                as: UTF8.self)
        }
        while let isbn = Varint.take(bytes, at: &offset), let title = text(), let subtitle = text() {
            let isbn = Int64(bitPattern: isbn)
            if seen.insert(title).inserted { forms.append(Form(isbn: isbn, text: title, hasSubtitle: false)) }
            if subtitle.isEmpty { continue }
            let whole = title.isEmpty ? subtitle : "\(title) \(subtitle)"
            if seen.insert(whole).inserted { forms.append(Form(isbn: isbn, text: whole, hasSubtitle: true)) }
        }
        return forms
    }
}
