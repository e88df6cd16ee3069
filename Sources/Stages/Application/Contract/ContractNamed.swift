import Books
import Syntax

/// A value of a closed list whose spelling clients hold us to (contract.md section 3): strict decoders fail
/// on any other, so the spelling stands once, in the type.
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
