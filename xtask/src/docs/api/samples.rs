//! A request in three languages.

use serde_json::Value;

use super::{Operation, pretty, string};
use crate::api::items;

/// Values of parameters that are no ids.
const VALUES: &[(&str, &str)] = &[
    ("address", "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY"),
    ("coin", "BTC"),
    ("destinationTag", "12345"),
    ("file", "logo.png"),
    ("from", "BTC"),
    ("network", "XRP"),
    ("to", "EUR"),
    ("withdrawalCurrency", "XRP"),
];

/// How a language writes an id that the reader fills in.
type Variable = fn(&str) -> String;

pub(super) fn all(operation: &Operation<'_>, request: Option<&Value>) -> String {
    let samples = [
        ("sh", curl(operation, request)),
        ("ts", typescript(operation, request)),
        ("python", python(operation, request)),
    ];
    let blocks = samples.map(|(language, code)| format!("```{language}\n{code}\n```\n\n"));
    format!("<div class=\"languages\">\n\n{}</div>\n", blocks.concat())
}

fn curl(operation: &Operation<'_>, request: Option<&Value>) -> String {
    let method = match (operation.method, request) {
        ("get", _) | ("post", Some(_)) => String::new(),
        (method, _) => format!("-X {} ", method.to_ascii_uppercase()),
    };
    let mut code = format!("curl {method}\"{}\"", url(operation, |id| format!("${id}"), "$GATEWAY"));
    if is_private(operation) {
        code.push_str(" \\\n  -H \"Authorization: Bearer $TOKEN\"");
    }
    if let Some(request) = request {
        code.push_str(&format!(" \\\n  --json '{}'", indented(&pretty(request), "  ")));
    }
    code
}

fn typescript(operation: &Operation<'_>, request: Option<&Value>) -> String {
    let url = url(operation, |id| format!("${{{id}}}"), "${GATEWAY}");
    let mut options = Vec::new();
    if operation.method != "get" {
        options.push(format!("  method: \"{}\",\n", operation.method.to_ascii_uppercase()));
    }
    let mut headers = Vec::new();
    if is_private(operation) {
        headers.push("authorization: `Bearer ${TOKEN}`");
    }
    if request.is_some() {
        headers.push("\"content-type\": \"application/json\"");
    }
    if !headers.is_empty() {
        options.push(format!("  headers: {{ {} }},\n", headers.join(", ")));
    }
    if let Some(request) = request {
        options.push(format!("  body: JSON.stringify({}),\n", indented(&pretty(request), "  ")));
    }
    let options = if options.is_empty() { String::new() } else { format!(", {{\n{}}}", options.concat()) };
    format!(
        "const response = await fetch(`{url}`{options});\nconsole.log(response.status, {});",
        body("response", operation)
    )
}

fn python(operation: &Operation<'_>, request: Option<&Value>) -> String {
    let url = url(operation, |id| format!("{{environ['{id}']}}"), "{GATEWAY}");
    let mut arguments = vec![format!("    f\"{url}\",\n")];
    if operation.method != "get" {
        arguments.push(format!("    method=\"{}\",\n", operation.method.to_ascii_uppercase()));
    }
    let mut headers = Vec::new();
    if is_private(operation) {
        headers.push("\"Authorization\": f\"Bearer {TOKEN}\"");
    }
    if let Some(request) = request {
        headers.push("\"Content-Type\": \"application/json\"");
        arguments.push(format!("    data=json.dumps({}).encode(),\n", indented(&of_python(request), "    ")));
    }
    if !headers.is_empty() {
        arguments.push(format!("    headers={{{}}},\n", headers.join(", ")));
    }
    let read = if is_json(operation) { "json.load(response)" } else { "response.read()" };
    format!(
        "request = Request(\n{})\nwith urlopen(request) as response:\n    print(response.status, {read})",
        arguments.concat()
    )
}

fn body(response: &str, operation: &Operation<'_>) -> String {
    format!("await {response}.{}()", if is_json(operation) { "json" } else { "text" })
}

/// Whether what succeeds has a body of JSON.
fn is_json(operation: &Operation<'_>) -> bool {
    let responses = operation.body["responses"].as_object().into_iter().flatten();
    responses
        .filter(|(status, _)| status.starts_with('2'))
        .any(|(_, response)| response.pointer("/content/application~1json").is_some())
}

fn is_private(operation: &Operation<'_>) -> bool {
    items(&operation.body["security"]).next().is_some()
}

fn url(operation: &Operation<'_>, variable: Variable, base: &str) -> String {
    let mut url = base.to_owned();
    for (index, part) in operation.path.split(['{', '}']).enumerate() {
        url.push_str(&if index % 2 == 0 { part.to_owned() } else { value(part, variable) });
    }
    let required = items(&operation.body["parameters"])
        .filter(|parameter| parameter["in"] == "query" && parameter["required"] == true)
        .map(|parameter| string(parameter, "name"));
    let query: Vec<String> = required.map(|name| format!("{name}={}", value(name, variable))).collect();
    if query.is_empty() { url } else { format!("{url}?{}", query.join("&")) }
}

/// `paymentId` is the variable `PAYMENT_ID`; `id` is that of a business.
fn value(name: &str, variable: Variable) -> String {
    if let Some((_, value)) = VALUES.iter().find(|(known, _)| *known == name) {
        return (*value).to_owned();
    }
    let name = if name == "id" { "businessId" } else { name };
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            words.push('_');
        }
        words.push(letter.to_ascii_uppercase());
    }
    variable(&words)
}

/// The lines after the first one, moved to the right.
fn indented(text: &str, by: &str) -> String {
    text.replace('\n', &format!("\n{by}"))
}

/// JSON with Python's words.
fn of_python(value: &Value) -> String {
    pretty(value).replace(": true", ": True").replace(": false", ": False").replace(": null", ": None")
}
