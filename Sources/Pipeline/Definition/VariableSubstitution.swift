/// Replaces `${NAME}` and `${NAME:-default}` in the values of a definition by environment variables. `$${` is
/// a literal `${`.
///
/// Keys, and values from the command line, are left alone. A default is used if the variable is not set or
/// empty.
struct VariableSubstitution {
    /// The value of a variable; nil if it is not set.
    let value: (String) -> String?
    /// The variables that were used, with their values. Those that are not set are left out.
    private(set) var used: [String: String] = [:]
    private var problems: [DefinitionProblem] = []

    /// Maximum length of a value after all replacements, in bytes.
    private static let maximumBytes = 64 << 10

    init(value: @escaping (String) -> String?) { self.value = value }

    /// Replaces the variables in all values. Reports all that are not set.
    mutating func replace(in root: inout DefinitionNode) throws(DefinitionError) {
        visit(&root)
        guard problems.isEmpty else { throw DefinitionError(problems) }
    }

    private mutating func visit(_ node: inout DefinitionNode) {
        switch node.content {
        case .scalar(let text, let isQuoted):
            guard case .file = node.origin, text.contains("${") else { return }
            node.content = .scalar(replaced(text, at: node.origin), quoted: isQuoted)
        case .sequence(var items):
            for index in items.indices { visit(&items[index]) }
            node.content = .sequence(items)
        case .mapping(var entries):
            for index in entries.indices { visit(&entries[index].value) }
            node.content = .mapping(entries)
        }
    }

    private mutating func replaced(_ text: String, at origin: ValueOrigin) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "$") {
            result += rest[..<start]
            rest = rest[start...]
            if rest.hasPrefix("$${") {
                result += "${"
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("${") {
                let inner = rest.dropFirst(2)
                guard let end = inner.firstIndex(of: "}") else {
                    refuse(.syntax, origin, "A `${` is not closed by `}`.", "Write `$${` for a literal `${`.")
                    return text
                }
                result += variable(inner[..<end], at: origin)
                rest = inner[inner.index(after: end)...]
            } else {
                result += "$"
                rest = rest.dropFirst()
            }
        }
        result += rest
        guard result.utf8.count <= Self.maximumBytes else {
            refuse(.tooLarge, origin, "The value is longer than 64 KiB after variables are replaced.", nil)
            return text
        }
        return result
    }

    private mutating func variable(_ inner: Substring, at origin: ValueOrigin) -> String {
        let name = inner.prefix { $0 != ":" }
        let isName =
            name.first?.isNumber == false
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        let ending = inner.dropFirst(name.count)
        guard isName, ending.isEmpty || ending.hasPrefix(":-") else {
            refuse(
                .syntax, origin, "\(DefinitionNode.quoted("${\(inner)}")) is not a variable.",
                "Write `${NAME}` or `${NAME:-default}`, and `$${` for a literal `${`.")
            return ""
        }
        if let value = value(String(name)) {
            used[String(name)] = value
            if !value.isEmpty || ending.isEmpty { return value }
        }
        guard !ending.isEmpty else {
            refuse(
                .unsetVariable, origin, "The environment variable `\(name)` is not set.",
                "Set it, or write a default: `${\(name):-default}`.")
            return ""
        }
        return String(ending.dropFirst(2))
    }

    private mutating func refuse(
        _ code: DefinitionProblem.Code, _ origin: ValueOrigin, _ message: String, _ advice: String?
    ) {
        problems.append(DefinitionProblem(code, at: origin, message, advice: advice))
    }
}
