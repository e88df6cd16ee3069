import Services
import Syntax

/// An answer to be kept, in the form in which it is stored.
struct CompressedAnswer: Sendable {
    enum Body: Sendable {
        /// The service did not know the key.
        case absent
        /// What it said, packed (``Deflated``), and the gist of it.
        case packed([UInt8], gist: ArraySlice<UInt8>?)
        /// What is kept was good, and stays.
        case asItIs
    }

    let key: String
    let fetchedAt: Int64
    let wrongs: Int
    let body: Body

    init(_ new: NewAnswer) {
        key = new.key.stored
        fetchedAt = new.kept.fetchedAt
        wrongs = new.kept.wrongs
        if let kept = new.kept.body {
            body = kept.words.map { .packed(Deflated.pack($0), gist: kept.gist) } ?? .asItIs
        } else {
            body = .absent
        }
    }
}
