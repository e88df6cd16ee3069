import Pipeline
import Services

/// Which editions have a cover, and which address each is asked for next.
struct CoverSearch: Sendable {
    /// The first half of a SHA-256: no two images of a library have the same one.
    struct Digest: Sendable, Hashable {
        let high: UInt64
        let low: UInt64

        init(of bytes: [UInt8]) {
            var hash = SHA256()
            hash.update(bytes)
            let digest = hash.digest
            high = digest[..<8].reduce(0) { $0 << 8 | UInt64($1) }
            low = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// An edition.
    struct Item: Sendable {
        enum State: Sendable, Hashable {
            /// Its address ``Item/place`` has not been asked, or is one without an image.
            case open
            case found(Digest)
            case withoutAddress, withoutImage, placeholder
            case unanswered(LookupOutcome)
        }

        let edition: Int64
        let work: Int64
        /// The place of the address that is asked, or that has the image.
        var place = 0
        var hadPlaceholder = false
        /// Why one of its addresses was not answered; nil if all were.
        var unanswered: LookupOutcome?
        var state = State.open
    }

    private var items: [Item]
    /// The works that have an image; no more than those that make it a placeholder.
    private var works: [Digest: [Int64]] = [:]
    private let sharingWorks: Int
    /// Editions whose image may turn out to be a placeholder at the end of the round.
    private var unsettled: Set<Int> = []
    /// Number of editions that are not open.
    private(set) var doneCount = 0

    /// - Parameter sharingWorks: The number of works that share a placeholder.
    init(_ editions: [(edition: Int64, work: Int64)], sharedBy sharingWorks: Int) {
        items = editions.map { Item(edition: $0.edition, work: $0.work) }
        self.sharingWorks = sharingWorks
    }

    var count: Int { items.count }
    subscript(number: Int) -> Item { items[number] }

    /// The numbers of the editions that are to be asked for.
    var open: [Int] { items.indices.filter { items[$0].state == .open } }

    /// The next address to ask for an edition. Nil if all were asked, and then the edition is done.
    mutating func address(of number: Int, among addresses: [String]) -> String? {
        guard items[number].place >= addresses.count else { return addresses[items[number].place] }
        let item = items[number]
        if let outcome = item.unanswered {
            end(number, .unanswered(outcome))
        } else if addresses.isEmpty {
            end(number, .withoutAddress)
        } else {
            end(number, item.hadPlaceholder ? .placeholder : .withoutImage)
        }
        return nil
    }

    /// An address has been answered: with an image, or with none.
    mutating func note(_ image: CoverImage?, of number: Int) {
        guard let image else {
            items[number].place += 1
            return
        }
        let digest = Digest(of: image.bytes)
        let work = items[number].work
        var sharing = works[digest] ?? []
        if sharing.count < sharingWorks, !sharing.contains(work) {
            sharing.append(work)
            works[digest] = sharing
        }
        unsettled.insert(number)
        end(number, .found(digest))
    }

    /// An address was not answered. The next run asks again; in this one the next address is asked.
    mutating func noteUnanswered(_ number: Int, _ outcome: LookupOutcome) {
        items[number].unanswered = items[number].unanswered ?? outcome
        items[number].place += 1
    }

    private mutating func end(_ number: Int, _ state: Item.State) {
        items[number].state = state
        doneCount += 1
    }

    /// All open editions have been asked for one address. Those with a placeholder are open again.
    mutating func endRound() {
        unsettled = []
        for number in items.indices {
            guard case .found(let digest) = items[number].state, isPlaceholder(digest) else { continue }
            items[number].state = .open
            items[number].place += 1
            items[number].hadPlaceholder = true
            doneCount -= 1
        }
    }

    /// Whether an edition's image is certain not to be a placeholder.
    func isSettled(_ number: Int) -> Bool { !unsettled.contains(number) }

    /// Whether so many works share an image that it must be a placeholder.
    func isPlaceholder(_ digest: Digest) -> Bool { works[digest, default: []].count >= sharingWorks }
}
