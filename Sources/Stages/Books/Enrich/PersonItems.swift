import Bytes

/// Items of Wikidata with a meaning for people: values of P21 and P172.
enum PersonItems {
    /// The gender a value of P21 (sex or gender) means. What the table does not list is a gender of its own.
    static func gender(_ item: UInt32) -> AuthorGender { genders[item] ?? .other }

    /// Whether a value of P172 (ethnic group) is an indigenous people.
    static func isIndigenous(_ group: UInt32) -> Bool { indigenous.contains(group) }

    private static let genders: [UInt32: AuthorGender] = {
        var genders: [UInt32: AuthorGender] = [:]
        PackageResources.genders_tsv.withUnsafeBytes { text in
            for line in TableLines(text) {
                let name = String(decoding: line.field(0), as: UTF8.self)
                guard let gender = AuthorGender.allCases.first(where: { $0.contractName == name }) else {
                    continue
                }
                for item in line.items(1, separator: 0x20).compactMap(TableLine.number) {
                    genders[item] = gender
                }
            }
        }
        return genders
    }()

    private static let indigenous: Set<UInt32> = PackageResources.indigenous_tsv.withUnsafeBytes { text in
        Set(TableLines(text).compactMap { TableLine.number($0.field(0)) })
    }
}
