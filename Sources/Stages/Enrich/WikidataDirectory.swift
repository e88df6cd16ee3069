package import Pipeline

/// Wikidata over the network as a directory of people: by the item a provider names, by Open Library's key of the
/// author, and by name only where a year is known that could bear the name out.
package struct WikidataDirectory: PersonDirectory {
    private let desk: ServiceDesk

    package init(_ desk: ServiceDesk) { self.desk = desk }

    package func find(_ queries: [PersonQuery]) async throws(StageFailure) -> [[PersonFacts]] {
        try await search(queries).people
    }

    package func search(_ queries: [PersonQuery]) async throws(StageFailure) -> PeopleFound {
        let deadline = LookUpDeadline(desk.tools).instant
        let leads = queries.map(Self.lead)
        let searched = try await desk.ask(
            Self.distinct(leads.compactMap { $0 }.filter { $0.kind != .item }), deadline: deadline)
        var keysOfQuery: [[ServiceKey]] = []
        for lead in leads {
            guard let lead else {
                keysOfQuery.append([])
                continue
            }
            let items = searched[lead]?.body.map(WikidataService.itemNumbers) ?? []
            keysOfQuery.append(lead.kind == .item ? [lead] : items.map { ServiceKey(.item, "Q\($0)") })
        }
        let items = try await desk.ask(Self.distinct(keysOfQuery.flatMap { $0 }), deadline: deadline)
        var found = PeopleFound(people: [])
        for (number, keys) in keysOfQuery.enumerated() {
            found.people.append(keys.compactMap { key in items[key]?.body.flatMap { Self.person($0, key) } })
            let outcomes = keys.map { items[$0]?.outcome } + [leads[number].flatMap { searched[$0]?.outcome }]
            if let open = outcomes.compactMap({ $0 }).first(where: { !$0.isSettled }) {
                found.unsettled[number] = open
            }
        }
        return found
    }

    /// The strongest lead to a person.
    private static func lead(_ query: PersonQuery) -> ServiceKey? {
        if let item = query.item { return ServiceKey(.item, "Q\(item)") }
        if let key = query.authorKey { return ServiceKey(.authorItems, key) }
        guard query.isDated, !query.foldedName.isEmpty else { return nil }
        return ServiceKey(.nameItems, String(decoding: query.foldedName, as: UTF8.self))
    }

    private static func distinct(_ keys: [ServiceKey]) -> [ServiceKey] {
        var seen: Set<ServiceKey> = []
        return keys.filter { seen.insert($0).inserted }
    }

    /// The person of an item; one that was merged into another goes by the item it was asked for by.
    private static func person(_ json: [UInt8], _ key: ServiceKey) -> PersonFacts? {
        guard var person = try? json.lend({ bytes throws(JSONReadError) in try WikidataEntity.person(bytes) })
        else { return nil }
        if let number = UInt32(key.text.dropFirst()) { person.item = number }
        return person
    }
}
