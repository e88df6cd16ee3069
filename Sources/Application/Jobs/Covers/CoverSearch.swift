import Queries
import Syntax
import System

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

    /// An image of an edition.
    struct Found: Sendable, Hashable {
        /// The place of its address among the edition's offers.
        var place: Int
        var isOfWork: Bool
        var digest: Digest
        var pixels: Int
    }

    /// An edition.
    struct Item: Sendable {
        enum State: Sendable, Hashable {
            /// Its offer ``Item/place`` is asked next.
            case open
            case found
            case withoutAddress, withoutImage, placeholder
            case unanswered(LookupOutcome)
        }

        let edition: Int64
        let work: Int64
        var place = 0
        /// The images so far.
        var found: [Found] = []
        var hadPlaceholder = false
        /// Why one of its addresses was not answered; nil if all were.
        var unanswered: LookupOutcome?
        var state = State.open

        /// Among images of equal size, the first wins.
        var largest: Found? { found.max { ($0.pixels, $1.place) < ($1.pixels, $0.place) } }
    }

    private var items: [Item]
    /// The works that have an image; no more than those that make it a placeholder.
    private var works: [Digest: [Int64]] = [:]
    private let sharingWorks: Int
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

    /// The next address to ask for an edition. Nil if there is none left that could have a better image, and then the
    /// edition is done.
    mutating func offer(of number: Int, among offers: [CoverOffer]) -> CoverOffer? {
        let item = items[number]
        let images = Set(
            item.found.compactMap { offers.indices.contains($0.place) ? offers[$0.place].image : nil })
        let hasOwn = item.found.contains { !$0.isOfWork }
        while items[number].place < offers.count {
            let offer = offers[items[number].place]
            if hasOwn, offer.isOfWork { break }
            if !images.contains(offer.image) { return offer }
            items[number].place += 1
        }
        if item.largest != nil {
            end(number, .found)
        } else if let outcome = item.unanswered {
            end(number, .unanswered(outcome))
        } else if offers.isEmpty {
            end(number, .withoutAddress)
        } else {
            end(number, item.hadPlaceholder ? .placeholder : .withoutImage)
        }
        return nil
    }

    /// An address has been answered: with an image, or with none.
    mutating func note(_ image: CoverImage?, of number: Int, isOfWork: Bool) {
        defer { items[number].place += 1 }
        guard let image else { return }
        let digest = Digest(of: image.bytes)
        let work = items[number].work
        var sharing = works[digest] ?? []
        if sharing.count < sharingWorks, !sharing.contains(work) {
            sharing.append(work)
            works[digest] = sharing
        }
        items[number].found.append(
            Found(
                place: items[number].place, isOfWork: isOfWork, digest: digest,
                pixels: image.size.width * image.size.height))
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

    /// All open editions have been asked for one address. Editions with a placeholder continue with the next address, as if
    /// it had been known from the start, so the order of answers does not matter.
    mutating func endRound() {
        for number in items.indices {
            guard let first = items[number].found.first(where: { isPlaceholder($0.digest) })?.place else {
                continue
            }
            if items[number].state != .open { doneCount -= 1 }
            items[number].state = .open
            items[number].found.removeAll { $0.place >= first }
            items[number].place = first + 1
            items[number].hadPlaceholder = true
        }
    }

    /// The largest image of an edition so far, and why it may not be its best: an address that could have a better one was
    /// not answered.
    ///
    /// - Parameter offers: Those of the edition.
    mutating func best(_ number: Int, among offers: [CoverOffer]) -> (
        image: Found, unanswered: LookupOutcome?
    )? {
        // A stopped search has not ended editions whose last address was answered.
        let isOpen = items[number].state == .open && offer(of: number, among: offers) != nil
        guard let largest = items[number].largest, offers.indices.contains(largest.place),
            !isPlaceholder(largest.digest)
        else { return nil }
        return (largest, isOpen ? .stopped : items[number].unanswered)
    }

    /// Whether enough works share an image to make it a placeholder.
    func isPlaceholder(_ digest: Digest) -> Bool { works[digest, default: []].count >= sharingWorks }
}
