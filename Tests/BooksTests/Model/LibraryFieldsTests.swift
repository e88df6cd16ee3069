import Testing

@testable import Books

@Suite struct LibraryFieldsTests {
    @Test func `each field has a bit of its own`() {
        #expect(LibraryField.allCases.allSatisfy { $0.rawValue < UInt64.bitWidth })
        for field in LibraryField.allCases {
            var fields = LibraryFields()
            #expect(fields.isEmpty)
            fields.insert(field)
            #expect(!fields.isEmpty)
            #expect(LibraryField.allCases.filter { fields.contains($0) } == [field])
        }
    }
}
