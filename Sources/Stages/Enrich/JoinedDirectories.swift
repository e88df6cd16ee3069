package import Pipeline

/// Several directories asked as one: each person is named once, the directory asked first goes first.
package struct JoinedDirectories: PersonDirectory {
    private let directories: [any PersonDirectory]

    /// - Parameter directories: In order of preference; with none, nobody is known.
    package init(_ directories: [any PersonDirectory]) { self.directories = directories }

    package var isEmpty: Bool { directories.allSatisfy(\.isEmpty) }

    package func find(_ queries: [PersonQuery]) async throws(StageFailure) -> [[PersonFacts]] {
        var found = Array(repeating: [PersonFacts](), count: queries.count)
        for directory in directories {
            for (index, people) in try await directory.find(queries).enumerated() where index < found.count {
                for person in people where !found[index].contains(where: { $0.item == person.item }) {
                    found[index].append(person)
                }
            }
        }
        return found
    }
}
