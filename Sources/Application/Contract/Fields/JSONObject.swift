package import Syntax

/// A value that is a JSON object. Its fields can also be written into an object that has further ones.
package protocol JSONObject: JSONWritable {
    func writeFields(into out: inout JSONWriter)
}

extension JSONObject {
    package func write(into out: inout JSONWriter) { out.object { out in writeFields(into: &out) } }
}

extension JSONWriter {
    /// Writes a key and an array of objects, one for each element, whose fields `fields` writes.
    package mutating func field<Element>(
        _ name: StaticString, _ elements: [Element], _ fields: (Element, inout JSONWriter) -> Void
    ) {
        key(name)
        array(elements, fields)
    }

    /// Writes an array of objects, one for each element, whose fields `fields` writes.
    package mutating func array<Element>(
        _ elements: [Element], _ fields: (Element, inout JSONWriter) -> Void
    ) {
        array { out in for element in elements { out.object { out in fields(element, &out) } } }
    }
}
