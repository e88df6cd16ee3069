import Books
import Bytes
package import Services
package import System

/// Wikidata over the network as a person directory. People are found by their item if a provider names it, by
/// their Open Library author key, and by name, but only if a year or a title can confirm the name.
package struct WikidataDirectory: PersonDirectory {
    private let client: ServiceClient

    package init(_ client: ServiceClient) { self.client = client }

    package func find(_ queries: [PersonQuery]) async throws(ETLError) -> PeopleFound {
        let deadline = LookupDeadline(client.dependencies).instant
        let queryKeys = queries.map(Self.key)
        let searched = try await ask(queryKeys.compactMap { $0 }.filter { $0.kind != .item }, deadline)
        var keysOfQuery: [[ServiceKey]] = []
        for key in queryKeys {
            guard let key else {
                keysOfQuery.append([])
                continue
            }
            let items = searched[key]?.decoded.map(WikidataService.items(decoded:)) ?? []
            keysOfQuery.append(key.kind == .item ? [key] : items.map { ServiceKey(.item, "Q\($0)") })
        }
        let items = try await ask(keysOfQuery.flatMap { $0 }, deadline)
        let peopleOfQuery = keysOfQuery.map { keys in
            keys.compactMap { key in items[key]?.decoded.flatMap { Self.person($0, key) } }
        }
        let titles = try await self.titles(queries, queryKeys, peopleOfQuery, deadline)
        var found = PeopleFound(people: [])
        for (number, keys) in keysOfQuery.enumerated() {
            var people = peopleOfQuery[number]
            var works: [ServiceKey] = []
            for index in people.indices where Self.wantsTitles(queries[number], queryKeys[number]) {
                let keys = Self.works(of: people[index])
                people[index].titles = keys.flatMap { titles[$0]?.decoded.map(Self.names) ?? [] }
                works += keys
            }
            found.people.append(people)
            let outcomes =
                keys.map { items[$0]?.outcome } + [queryKeys[number].flatMap { searched[$0]?.outcome }]
                + works.map { titles[$0]?.outcome }
            if let open = outcomes.compactMap({ $0 }).first(where: { !$0.isAnswered }) {
                found.unanswered[number] = PeopleFound.Gap(service: client.service.name, outcome: open)
            }
        }
        return found
    }

    /// Asks for keys, which may contain duplicates.
    private func ask(
        _ keys: [ServiceKey], _ deadline: UInt64?
    ) async throws(ETLError) -> [ServiceKey: ServiceAnswer] {
        let keys = keys.deduplicated
        let answers = try await client.ask(keys, deadline: deadline)
        return Dictionary(zip(keys, answers)) { first, _ in first }
    }

    package var knowsTitles: Bool { true }

    // MARK: Titles

    /// Maximum works of a person whose titles are requested.
    private static let workLimit = 20

    /// Whether only a title can confirm the query's name.
    private static func wantsTitles(_ query: PersonQuery, _ key: ServiceKey?) -> Bool {
        key?.kind == .nameItems && query.hasTitle
    }

    private static func works(of person: PersonFacts) -> [ServiceKey] {
        person.isPerson ? person.works.prefix(workLimit).map { ServiceKey(.item, "Q\($0)") } : []
    }

    /// The items of works by people for whom only the name agrees with a query.
    private func titles(
        _ queries: [PersonQuery], _ queryKeys: [ServiceKey?], _ people: [[PersonFacts]], _ deadline: UInt64?
    ) async throws(ETLError) -> [ServiceKey: ServiceAnswer] {
        let wanted = people.indices.filter { Self.wantsTitles(queries[$0], queryKeys[$0]) }
        return try await ask(wanted.flatMap { people[$0].flatMap(Self.works) }, deadline)
    }

    /// The label and aliases of an item.
    private static func names(_ decoded: ArraySlice<UInt8>) -> [String] {
        guard let item = PersonFacts(decoded: decoded) else { return [] }
        return ([item.label] + item.aliases).filter { !$0.isEmpty }
    }

    // MARK: People

    /// The most specific key for a person.
    private static func key(_ query: PersonQuery) -> ServiceKey? {
        if let item = query.item { return ServiceKey(.item, "Q\(item)") }
        if let key = query.authorKey { return ServiceKey(.authorItems, key) }
        guard query.isDated || query.hasTitle, !query.foldedName.isEmpty, !query.waitsForKey else {
            return nil
        }
        return ServiceKey(.nameItems, String(decoding: query.foldedName, as: UTF8.self))
    }

    /// The person of an item. A merged item has its new number, and remembers the requested one.
    private static func person(_ decoded: ArraySlice<UInt8>, _ key: ServiceKey) -> PersonFacts? {
        guard var person = PersonFacts(decoded: decoded) else { return nil }
        if let number = UInt32(key.text.dropFirst()), number != person.item { person.formerItem = number }
        return person
    }
}
