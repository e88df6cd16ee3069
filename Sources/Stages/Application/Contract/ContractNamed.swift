import Books
import Syntax

/// A value of a closed list. Strict decoders of clients reject any other spelling, so the type is the only
/// place that spells it.
protocol ContractNamed: JSONWritable {
    var contractName: String { get }
}

extension ContractNamed {
    package func write(into out: inout JSONWriter) { out.string(contractName) }
}

extension AuthorGender: ContractNamed {}
extension CulturalRegion: ContractNamed {}
extension EditionFormat: ContractNamed {}
extension Provider: ContractNamed {}
extension ReviewStatus: ContractNamed {}
