package import Pipeline

/// Several directories asked as one: each person is named once, the directory asked first goes first. The network's is
/// asked last, and only for those of whom nobody else knows anything.
package struct JoinedDirectories: PersonDirectory {
    private let directories: [any PersonDirectory]
    private let network: (any PersonDirectory)?

    /// - Parameters:
    ///   - directories: In order of preference; with none, nobody is known.
    ///   - network: Asked for what is left.
    package init(_ directories: [any PersonDirectory], network: (any PersonDirectory)? = nil) {
        self.directories = directories
        self.network = network
    }

    package func search(_ queries: [PersonQuery]) async throws(StageFailure) -> PeopleFound {
        var found = PeopleFound(people: try await find(queries))
        guard let network else { return found }
        let left = queries.indices.filter { found.people[$0].isEmpty }
        guard !left.isEmpty else { return found }
        let answer = try await network.search(left.map { queries[$0] })
        for (number, query) in left.enumerated() where number < answer.people.count {
            found.people[query] = answer.people[number]
            found.unsettled[query] = answer.unsettled[number]
        }
        return found
    }

    package var knowsTitles: Bool {
        directories.contains(where: \.knowsTitles) || network?.knowsTitles == true
    }

    package var knowsNobody: Bool { directories.allSatisfy(\.knowsNobody) && network == nil }

    package var isEmpty: Bool { directories.allSatisfy(\.isEmpty) && network == nil }

    package func find(_ queries: [PersonQuery]) async throws(StageFailure) -> [[PersonFacts]] {
        var found = Array(repeating: [PersonFacts](), count: queries.count)
        for directory in directories where !directory.knowsNobody {
            for (index, people) in try await directory.find(queries).enumerated() where index < found.count {
                for person in people where !found[index].contains(where: { $0.item == person.item }) {
                    found[index].append(person)
                }
            }
        }
        return found
    }
}
