import Foundation
import Syntax
import TestSupport
import Testing

@testable import Server

/// Holds answers against the OpenAPI document that the server itself gives out.
struct AnswerSchema {
    /// The document as JSON.
    private let document: [String: Any]

    init() {
        var json = JSONWriter()
        OpenAPIDocument(version: "0", RouteList.documented).write(into: &json)
        document = (try? JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any]) ?? [:]
    }

    /// The problem with an answer; empty if it is as documented. Paths that are no route are not documented.
    func problems(_ answer: RawClient.Answer, to method: String, _ target: String) -> [String] {
        let path = String(target.prefix { $0 != "?" })
        guard let route = Self.route(method, path) else { return [] }
        let place = "\(method) \(route.path) \(answer.status)"
        let item = (document["paths"] as? [String: Any])?[route.path] as? [String: Any]
        let operation = item?[route.method.rawValue.lowercased()] as? [String: Any]
        guard let responses = operation?["responses"] as? [String: Any],
            let response = resolved(responses["\(answer.status)"]) as? [String: Any]
        else { return ["\(place): the status is not documented"] }
        guard method != "HEAD", let content = response["content"] as? [String: Any] else { return [] }
        let type = answer.fields["content-type"].map { String($0.prefix { $0 != ";" }) } ?? ""
        guard let media = content[type] as? [String: Any] else {
            // Browsers get their failures as pages.
            return answer.status >= 400 && type == "text/html" ? [] : ["\(place): \(type) is not documented"]
        }
        guard type == "application/json" else { return [] }
        guard let value = try? JSONSerialization.jsonObject(with: Data(answer.body)) else {
            return ["\(place): the body is not JSON"]
        }
        return problems(value, media["schema"], place)
    }

    private static func route(_ method: String, _ path: String) -> Route? {
        let wanted = method == "HEAD" ? "GET" : method
        return RouteList.all.first { route in
            let parts = path.split(separator: "/", omittingEmptySubsequences: true)
            return route.method.rawValue == wanted && route.segments.count == parts.count
                && zip(route.segments, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
    }

    /// Follows a reference within the document.
    private func resolved(_ value: Any?) -> Any? {
        guard let object = value as? [String: Any], let place = object["$ref"] as? String else {
            return value
        }
        var found: Any? = document
        for part in place.split(separator: "/").dropFirst() {
            found = (found as? [String: Any])?[String(part)]
        }
        return found
    }

    /// Violations of a value's schema. Fields that are not documented are not allowed either.
    func problems(_ value: Any, _ schema: Any?, _ place: String) -> [String] {
        guard let schema = resolved(schema) as? [String: Any] else { return ["\(place): no schema"] }
        switch schema["type"] as? String {
        case nil:
            guard let shapes = schema["anyOf"] as? [Any] else { return [] }
            let found = shapes.map { problems(value, $0, place) }
            return found.contains(where: \.isEmpty) ? [] : found.first ?? []
        case "null": return value is NSNull ? [] : ["\(place): not null"]
        case "string":
            guard let text = value as? String else { return ["\(place): not a string"] }
            let names = schema["enum"] as? [String]
            return names?.contains(text) ?? true ? [] : ["\(place): `\(text)` is none of its names"]
        case "boolean": return Self.isBoolean(value) ? [] : ["\(place): not a boolean"]
        case "integer":
            guard !Self.isBoolean(value), let number = value as? Double, number == number.rounded() else {
                return ["\(place): not an integer"]
            }
            return []
        case "number": return !Self.isBoolean(value) && value is Double ? [] : ["\(place): not a number"]
        case "array":
            guard let list = value as? [Any] else { return ["\(place): not an array"] }
            return list.enumerated().flatMap { problems($1, schema["items"], "\(place)[\($0)]") }
        default:
            guard let object = value as? [String: Any] else { return ["\(place): not an object"] }
            let fields = schema["properties"] as? [String: Any] ?? [:]
            let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
            var found = missing.map { "\(place): \($0) is missing" }
            for (name, value) in object where !fields.isEmpty {
                guard let field = fields[name] else {
                    found.append("\(place): \(name) is not documented")
                    continue
                }
                found += problems(value, field, "\(place).\(name)")
            }
            return found
        }
    }

    private static func isBoolean(_ value: Any) -> Bool {
        guard let number = value as? NSNumber else { return value is Bool }
        return String(cString: number.objCType) == "c" || String(cString: number.objCType) == "B"
    }
}
