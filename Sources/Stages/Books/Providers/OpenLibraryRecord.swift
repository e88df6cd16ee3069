import Bytes

/// A record of Open Library, read: what it says, and the records it leads to. Its packed form is what is kept of the
/// service's words:
///
///     kind (1) · work · authors · body · stand-in        each with its length or count in front (LEB128)
struct OpenLibraryRecord: Sendable, Hashable {
    enum Kind: UInt8, Sendable, Hashable {
        case edition = 1
        case work, author
        /// It stands elsewhere now.
        case moved
    }

    var kind: Kind
    /// What it says itself (``PackedRecord``).
    var body: ArraySlice<UInt8> = []
    /// Of an edition, what its work would say.
    var standIn: ArraySlice<UInt8> = []
    /// Of an edition its work, `OL1W`, nil where it names none; of a record that was moved its place.
    var work: String?
    /// The keys of its authors.
    var authors: [String] = []

    init(_ kind: Kind) { self.kind = kind }

    // MARK: Packed

    var packed: [UInt8] {
        var bytes = [kind.rawValue]
        bytes.reserveCapacity(body.count + standIn.count + 64)
        Self.append(work ?? "", to: &bytes)
        Varint.append(UInt64(authors.count), to: &bytes)
        for author in authors { Self.append(author, to: &bytes) }
        for part in [body, standIn] {
            Varint.append(UInt64(part.count), to: &bytes)
            bytes.append(contentsOf: part)
        }
        return bytes
    }

    /// Unpacks; nil where the bytes are not a packed record, whatever they are.
    init?(packed: ArraySlice<UInt8>) {
        var rest = packed
        guard let kind = rest.popFirst().flatMap(Kind.init(rawValue:)), let work = Self.takeText(&rest),
            let count = Varint.take(&rest), count <= UInt64(rest.count)
        else { return nil }
        self.init(kind)
        self.work = work.isEmpty ? nil : work
        for _ in 0..<count {
            guard let author = Self.takeText(&rest) else { return nil }
            authors.append(author)
        }
        guard let body = Self.take(&rest), let standIn = Self.take(&rest), rest.isEmpty else { return nil }
        self.body = body
        self.standIn = standIn
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        Varint.append(UInt64(text.utf8.count), to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }

    private static func takeText(_ rest: inout ArraySlice<UInt8>) -> String? {
        take(&rest).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func take(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let count = Varint.take(&rest), count <= UInt64(rest.count) else { return nil }
        let taken = rest.prefix(Int(count))
        rest = rest.dropFirst(Int(count))
        return taken
    }
}
