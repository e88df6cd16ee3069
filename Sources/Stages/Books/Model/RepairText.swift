/// How a notice of a repaired ISBN names its rule: written by the validating stage, read again where repairs are
/// counted.
package enum RepairText {
    /// What stands before the rule's name.
    package static let mark = "(rule: "

    /// `The leading zeros … were put back. The number is 9780306406157 (rule: lost_leading_zeros).`
    static func sentence(_ rule: ISBNRepair, _ isbn: ISBN) -> String {
        "\(rule.sentence) The number is \(isbn) \(mark)\(rule.name))."
    }

    /// The rule's name out of what follows the mark.
    package static func rule(_ rest: String) -> String { String(rest.prefix { $0 != ")" }) }
}
