/// Why gzip data could not be read to its end (RFC 1952).
package enum GzipError: Error, Sendable, Hashable {
    /// The data does not begin with a gzip member.
    case notGzip
    /// The data ends inside a member: the rest was never written or never arrived.
    case truncated
    /// A member is damaged: its deflate stream, its checksum or its length is wrong.
    case damaged
    /// The data grows beyond what honest data does.
    case bomb
    /// zlib could not get memory.
    case outOfMemory

    /// What is wrong, to be put after the file's name.
    package var sentence: String {
        switch self {
        case .notGzip: "is not gzip data."
        case .truncated: "ends too early: the gzip data is cut off."
        case .damaged: "is damaged: its gzip checksum or structure is wrong."
        case .bomb: "grows beyond any honest gzip file when it is unpacked."
        case .outOfMemory: "could not be unpacked for want of memory."
        }
    }
}
