import Queries

/// Inputs that several forms have, each with its label.
enum FormInput {
    /// A list to choose from.
    ///
    /// - Parameters:
    ///   - id: The id in the document; nil if it is the name.
    ///   - chosen: The value of the chosen option; nil for the first one.
    ///   - form: The id of the form that it belongs to; nil for the one around it.
    static func select(
        _ name: String, _ label: String, _ options: [(value: String, text: String)], chosen: String?,
        id: String? = nil, form: String? = nil, _ html: inout HTML
    ) {
        html.tag("label", ["for": id ?? name], label)
        html.tag("select", ["id": id ?? name, "name": name, "form": form]) { html in
            for (value, text) in options {
                html.tag("option", ["value": value, "selected": value == chosen ? "" : nil], text)
            }
        }
    }

    /// Values that are sent with a form and not shown.
    static func hidden(_ values: [(String, String)], _ html: inout HTML) {
        for (name, value) in values {
            html.open("input", ["type": "hidden", "name": name, "value": value])
        }
    }

    /// A check box or a radio button.
    ///
    /// - Parameter type: `checkbox` or `radio`.
    static func check(
        _ type: String, _ name: String, value: String = "true", _ text: String, isChecked: Bool = false,
        isRequired: Bool = false, _ html: inout HTML
    ) {
        html.tag("label", ["class": "check"]) { html in
            html.open(
                "input",
                [
                    "type": type, "name": name, "value": value, "required": isRequired ? "" : nil,
                    "checked": isChecked ? "" : nil,
                ])
            html.text(text)
        }
    }
}
