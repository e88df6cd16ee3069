import Books
import Contract
import Database
import Store
import System

/// Reads the further editions that a provider gave with a stored one: the volumes of Google Books that have one ISBN.
/// The store keeps them with the provider's record.
final class FurtherEditions {
    private let lineage: Statement
    private let record: Statement

    init(_ store: Connection) throws(ETLError) {
        lineage = try store.prepare("SELECT lineage FROM editions WHERE id = ?1")
        record = try store.prepare("SELECT provider, body FROM candidates WHERE id = ?1")
    }

    /// The further editions of an edition, in the provider's order.
    func all(of edition: Int64) throws(ETLError) -> [EditionDTO] {
        guard try lineage.first(edition) else { return [] }
        let sources = Lineage(decoding: lineage.bytes(0)).sources
        lineage.reset()
        var editions: [EditionDTO] = []
        for case .candidate(let id) in sources where try record.first(id) {
            defer { record.reset() }
            guard let provider = Provider(rawValue: UInt8(truncatingIfNeeded: record.integer(0))) else {
                continue
            }
            record.withBytes(1) { body in
                _ = PackedRecord.forEachValue(body) { field, _, range in
                    guard field == .otherEdition,
                        let edition = EditionDTO(
                            further: UnsafeRawBufferPointer(rebasing: body[range]), from: provider)
                    else { return }
                    editions.append(edition)
                }
            }
        }
        return editions
    }
}
