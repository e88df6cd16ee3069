/// Whether two words are one mistake apart: a letter missing, too many or wrong, or two neighbours exchanged.
enum OneMistake {
    static func parts(_ a: String, _ b: String) -> Bool {
        let (short, long) = a.unicodeScalars.count <= b.unicodeScalars.count ? (a, b) : (b, a)
        let shorter = Array(short.unicodeScalars)
        let longer = Array(long.unicodeScalars)
        guard longer.count - shorter.count <= 1 else { return false }
        guard let first = shorter.indices.first(where: { shorter[$0] != longer[$0] }) else {
            return longer.count == shorter.count + 1
        }
        if longer.count > shorter.count { return shorter[first...] == longer[(first + 1)...] }
        if shorter[(first + 1)...] == longer[(first + 1)...] { return true }
        return first + 1 < shorter.count && shorter[first] == longer[first + 1]
            && shorter[first + 1] == longer[first] && shorter[(first + 2)...] == longer[(first + 2)...]
    }
}
