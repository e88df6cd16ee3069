/// A value of a closed list, with the contract's name for it. Strict decoders of clients reject any other spelling, so
/// the type is the only place that spells it.
package protocol ContractNamed: CaseIterable {
    /// The contract's name for it.
    var contractName: String { get }
}

extension ContractNamed {
    /// Finds the value by its exact contract name; nil for an unknown name.
    package init?(contractName: some StringProtocol) {
        guard let value = Self.allCases.first(where: { $0.contractName == contractName }) else { return nil }
        self = value
    }
}

extension AuthorGender: ContractNamed {}
extension CulturalRegion: ContractNamed {}
extension EditionFormat: ContractNamed {}
extension Provider: ContractNamed {}
extension ReviewStatus: ContractNamed {}
