/// Short and pet forms of English given names: Jim is James.
///
/// Only forms that belong to one name are in the table. Al can be Albert, Alan or Alfred, and Jack a name of its own.
enum Nicknames {
    private static let names: [(name: String, forms: [String])] = [
        ("alexander", ["alex"]), ("andrew", ["andy", "drew"]), ("anthony", ["tony"]), ("arthur", ["art"]),
        ("benjamin", ["ben", "benny"]), ("bernard", ["bernie"]), ("catherine", ["cathy"]),
        ("charles", ["charlie", "chuck"]),
        ("christopher", ["chris"]), ("clifford", ["cliff"]), ("daniel", ["dan", "danny"]),
        ("david", ["dave"]),
        ("deborah", ["debbie", "deb"]), ("donald", ["don"]), ("douglas", ["doug"]),
        ("edward", ["ed", "eddie", "ted"]),
        ("elizabeth", ["liz", "beth", "betty"]), ("eugene", ["gene"]), ("frederick", ["fred"]),
        ("gregory", ["greg"]),
        ("harold", ["hal"]), ("henry", ["hank"]), ("jacob", ["jake"]), ("james", ["jim", "jimmy", "jamie"]),
        ("jeffrey", ["jeff"]), ("jennifer", ["jenny", "jen"]), ("joseph", ["joe"]), ("joshua", ["josh"]),
        ("katherine", ["kathy", "kate", "katie"]), ("kenneth", ["ken"]), ("lawrence", ["larry"]),
        ("leonard", ["len"]),
        ("margaret", ["maggie", "peggy"]), ("matthew", ["matt"]), ("michael", ["mike", "mick"]),
        ("nathaniel", ["nat"]),
        ("nicholas", ["nick"]), ("pamela", ["pam"]), ("patricia", ["patty", "trish"]), ("peter", ["pete"]),
        ("philip", ["phil"]), ("raymond", ["ray"]), ("rebecca", ["becky"]),
        ("richard", ["rick", "dick", "rich"]),
        ("robert", ["bob", "rob", "bobby"]), ("ronald", ["ron"]), ("samuel", ["sam"]), ("stephen", ["steve"]),
        ("steven", ["steve"]), ("susan", ["sue"]), ("theodore", ["ted"]), ("thomas", ["tom", "tommy"]),
        ("timothy", ["tim"]), ("victoria", ["vicky"]), ("vincent", ["vince"]), ("walter", ["walt"]),
        ("william", ["bill", "will", "billy", "willy"]), ("zachary", ["zach"]),
    ]

    private static let fullNames: [String: Set<String>] = {
        var full: [String: Set<String>] = [:]
        for (name, forms) in names { for form in forms { full[form, default: []].insert(name) } }
        return full
    }()

    /// The agreement of two names that differ in such forms of the first given name; nil if they differ otherwise.
    ///
    /// - Parameters:
    ///   - a: The folded words of a name in reading order.
    ///   - b: Those of another one with the same family name.
    static func score(_ a: [String], _ b: [String]) -> MatchScore? {
        guard let first = a.first, let other = b.first, isOne(first, other) else { return nil }
        // Further names can be missing on one side.
        let (ours, theirs) = (a.dropFirst().dropLast(), b.dropFirst().dropLast())
        guard zip(ours, theirs).allSatisfy({ $0.first == $1.first }) else { return nil }
        return MatchScore(MatchWeights.Author.nickname, [.authorOtherName])
    }

    private static func isOne(_ a: String, _ b: String) -> Bool {
        fullNames[a]?.contains(b) == true || fullNames[b]?.contains(a) == true
    }
}
