import Bytes
package import Pipeline
package import Services

/// Wikidata over the network as a directory of people: by the item a provider names, by Open Library's key of the
/// author, and by name only where a year or a title is known that could bear the name out.
package struct WikidataDirectory: PersonDirectory {
    private let client: ServiceClient

    package init(_ client: ServiceClient) { self.client = client }

    package func find(_ queries: [PersonQuery]) async throws(StageFailure) -> [[PersonFacts]] {
        try await search(queries).people
    }

    package func search(_ queries: [PersonQuery]) async throws(StageFailure) -> PeopleFound {
        let deadline = LookupDeadline(client.tools).instant
        let leads = queries.map(Self.lead)
        let searched = try await ask(leads.compactMap { $0 }.filter { $0.kind != .item }, deadline)
        var keysOfQuery: [[ServiceKey]] = []
        for lead in leads {
            guard let lead else {
                keysOfQuery.append([])
                continue
            }
            let items = searched[lead]?.decoded.map(WikidataService.items(decoded:)) ?? []
            keysOfQuery.append(lead.kind == .item ? [lead] : items.map { ServiceKey(.item, "Q\($0)") })
        }
        let items = try await ask(keysOfQuery.flatMap { $0 }, deadline)
        let peopleOfQuery = keysOfQuery.map { keys in
            keys.compactMap { key in items[key]?.decoded.flatMap { Self.person($0, key) } }
        }
        let titles = try await self.titles(queries, leads, peopleOfQuery, deadline)
        var found = PeopleFound(people: [])
        for (number, keys) in keysOfQuery.enumerated() {
            var people = peopleOfQuery[number]
            var works: [ServiceKey] = []
            for index in people.indices where Self.wantsTitles(queries[number], leads[number]) {
                let keys = Self.works(of: people[index])
                people[index].titles = keys.flatMap { titles[$0]?.decoded.map(Self.names) ?? [] }
                works += keys
            }
            found.people.append(people)
            let outcomes =
                keys.map { items[$0]?.outcome } + [leads[number].flatMap { searched[$0]?.outcome }]
                + works.map { titles[$0]?.outcome }
            if let open = outcomes.compactMap({ $0 }).first(where: { !$0.isSettled }) {
                found.unanswered[number] = open
            }
        }
        return found
    }

    /// Asks for keys, of which some may be the same.
    private func ask(
        _ keys: [ServiceKey], _ deadline: UInt64?
    ) async throws(StageFailure) -> [ServiceKey: ServiceAnswer] {
        let keys = keys.deduplicated
        let answers = try await client.ask(keys, deadline: deadline)
        return Dictionary(zip(keys, answers)) { first, _ in first }
    }

    package var knowsTitles: Bool { true }

    // MARK: Titles

    /// Works of a person that are asked for by name.
    private static let workLimit = 20

    /// Whether a query has nothing but a title to bear its name out.
    private static func wantsTitles(_ query: PersonQuery, _ lead: ServiceKey?) -> Bool {
        lead?.kind == .nameItems && query.hasTitle
    }

    private static func works(of person: PersonFacts) -> [ServiceKey] {
        person.isPerson ? person.works.prefix(workLimit).map { ServiceKey(.item, "Q\($0)") } : []
    }

    /// The items of works by people whose name alone agrees with a query.
    private func titles(
        _ queries: [PersonQuery], _ leads: [ServiceKey?], _ people: [[PersonFacts]], _ deadline: UInt64?
    ) async throws(StageFailure) -> [ServiceKey: ServiceAnswer] {
        let wanted = people.indices.filter { Self.wantsTitles(queries[$0], leads[$0]) }
        return try await ask(wanted.flatMap { people[$0].flatMap(Self.works) }, deadline)
    }

    /// What an item is called.
    private static func names(_ decoded: ArraySlice<UInt8>) -> [String] {
        guard let item = PersonFacts(decoded: decoded) else { return [] }
        return ([item.label] + item.aliases).filter { !$0.isEmpty }
    }

    // MARK: People

    /// The strongest lead to a person.
    private static func lead(_ query: PersonQuery) -> ServiceKey? {
        if let item = query.item { return ServiceKey(.item, "Q\(item)") }
        if let key = query.authorKey { return ServiceKey(.authorItems, key) }
        guard query.isDated || query.hasTitle, !query.foldedName.isEmpty else { return nil }
        return ServiceKey(.nameItems, String(decoding: query.foldedName, as: UTF8.self))
    }

    /// The person of an item; one that was merged into another goes by the item it was asked for by.
    private static func person(_ decoded: ArraySlice<UInt8>, _ key: ServiceKey) -> PersonFacts? {
        guard var person = PersonFacts(decoded: decoded) else { return nil }
        if let number = UInt32(key.text.dropFirst()) { person.item = number }
        return person
    }
}
