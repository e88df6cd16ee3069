/// Names of payload types as people read them.
enum PayloadNames {
    /// `LibraryRows` is "library rows", `ISBNList` "ISBN list".
    static func words(_ type: any Payload.Type) -> String {
        let letters = Array(String(describing: type))
        var words: [String] = []
        for (index, letter) in letters.enumerated() {
            let afterSmall = index > 0 && !letters[index - 1].isUppercase
            let beforeSmall = index + 1 < letters.count && letters[index + 1].isLowercase
            if letter.isUppercase, afterSmall || beforeSmall || words.isEmpty {
                words.append(String(letter))
            } else {
                words.append((words.popLast() ?? "") + String(letter))
            }
        }
        // A word of capitals only is an abbreviation and stays one.
        return words.map { $0.count > 1 && $0.allSatisfy(\.isUppercase) ? $0 : $0.lowercased() }
            .joined(separator: " ")
    }
}
