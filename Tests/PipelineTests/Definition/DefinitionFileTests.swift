import Glibc
import Testing

@testable import Pipeline
@testable import System

@Suite struct DefinitionFileTests {
    @Test(arguments: [
        (ReadableFile.Refusal.system(ENOENT), ETLError.Kind.missing), (.system(EACCES), .permission),
        (.system(EPERM), .permission), (.folder, .missing), (.special, .missing),
    ])
    func `why a definition cannot be read decides the kind of the failure`(
        refusal: ReadableFile.Refusal, kind: ETLError.Kind
    ) {
        let failure = DefinitionFile.unreadable("p.yaml", refusal).failure
        #expect(failure.kind == kind)
        #expect(
            failure.message.contains("`p.yaml`") && !failure.message.contains("p.yaml:1"),
            "\(failure.message)")
    }
}
