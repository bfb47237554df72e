//! The whole page, rendered from the document alone.

use std::fmt::Write as _;

use serde_json::Value;

use super::fields;
use super::html::{inline, markdown, string, text};

const METHODS: [&str; 5] = ["get", "post", "patch", "put", "delete"];

pub(super) fn draw(document: &Value, style: &str) -> String {
    let info = &document["info"];
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{title} API</title><style>{style}</style></head>\
         <body><a class=\"skip\" href=\"#main\">Skip to the content</a>\
         <header><h1>{title} <span>API {version}</span></h1><p>{summary}</p>\
         <p><a href=\"/api/openapi.json\">OpenAPI 3.1 document</a></p></header><div class=\"columns\">",
        title = text(string(info, "title")),
        version = text(string(info, "version")),
        summary = text(string(info, "summary")),
    );
    contents(document, &mut page);
    let _ = write!(
        page,
        "<main id=\"main\"><section class=\"prose\" id=\"overview\">{}</section>",
        markdown(string(info, "description"))
    );
    credentials(document, &mut page);
    problem(document, &mut page);
    for tag in items(&document["tags"]) {
        let name = string(tag, "name");
        let _ = write!(
            page,
            "<section class=\"chapter\"><h2 id=\"{}\">{}</h2><p>{}</p>",
            anchor(name),
            text(name),
            inline(string(tag, "description"))
        );
        for (method, path, operation) in operations(document, name) {
            draw_operation(document, method, path, operation, &mut page);
        }
        page.push_str("</section>");
    }
    page.push_str("<section class=\"chapter\"><h2 id=\"callbacks\">Callbacks</h2><p>What the gateway sends to a merchant.</p>");
    for webhook in document["webhooks"].as_object().into_iter().flat_map(|all| all.values()) {
        draw_operation(document, "post", "your callback URL", &webhook["post"], &mut page);
    }
    page.push_str("</section></main></div></body></html>");
    page
}

fn contents(document: &Value, page: &mut String) {
    page.push_str("<nav aria-label=\"Contents\"><details><summary>Contents</summary><ul><li><a href=\"#overview\">Overview</a></li><li><a href=\"#credentials\">Kinds of token</a></li><li><a href=\"#problem\">Problem</a></li>");
    let entry = |operation: &Value, page: &mut String| {
        let _ = write!(
            page,
            "<li><a href=\"#{}\">{}</a></li>",
            text(string(operation, "operationId")),
            text(string(operation, "summary"))
        );
    };
    for tag in items(&document["tags"]) {
        let name = string(tag, "name");
        let _ = write!(page, "<li><a href=\"#{}\">{}</a><ul>", anchor(name), text(name));
        for (_, _, operation) in operations(document, name) {
            entry(operation, page);
        }
        page.push_str("</ul></li>");
    }
    page.push_str("<li><a href=\"#callbacks\">Callbacks</a><ul>");
    for webhook in document["webhooks"].as_object().into_iter().flat_map(|all| all.values()) {
        entry(&webhook["post"], page);
    }
    page.push_str("</ul></li></ul></details></nav>");
}

fn credentials(document: &Value, page: &mut String) {
    page.push_str(
        "<section class=\"chapter\"><h2 id=\"credentials\">Kinds of token</h2><ul class=\"fields\">",
    );
    let schemes = document["components"]["securitySchemes"].as_object();
    for (name, scheme) in schemes.into_iter().flatten() {
        let _ = write!(
            page,
            "<li><div class=\"field\"><code>{}</code> <span class=\"kind\">bearer</span></div><p>{}</p></li>",
            text(name),
            inline(string(scheme, "description"))
        );
    }
    page.push_str("</ul></section>");
}

fn problem(document: &Value, page: &mut String) {
    let schema = &document["components"]["schemas"]["Problem"];
    let _ = write!(
        page,
        "<section class=\"chapter\"><h2 id=\"problem\">Problem</h2><p>The body of every error, <code>application/problem+json</code>.</p><article>{}</article></section>",
        fields::draw(document, schema)
    );
}

fn draw_operation(document: &Value, method: &str, path: &str, operation: &Value, page: &mut String) {
    let id = string(operation, "operationId");
    let deprecated = operation["deprecated"] == true;
    let _ = write!(
        page,
        "<article id=\"{id}\"{}><h3><a href=\"#{id}\">{}</a>{}</h3><p class=\"route\"><span class=\"method {method}\">{}</span> <code>{}</code></p>",
        if deprecated { " class=\"deprecated\"" } else { "" },
        text(string(operation, "summary")),
        if deprecated { " <span class=\"badge\">deprecated</span>" } else { "" },
        method.to_ascii_uppercase(),
        breakable(path),
        id = text(id),
    );
    page.push_str(&markdown(string(operation, "description")));
    let schemes = items(&operation["security"]).filter_map(|scheme| scheme.as_object()?.keys().next());
    let schemes: Vec<String> = schemes.map(|name| format!("<code>{}</code>", text(name))).collect();
    match operation.get("security") {
        // A callback is verified by its signature.
        Some(_) if operation.get("tags").is_none() => {}
        Some(_) if schemes.is_empty() => page.push_str("<p class=\"note\">Public: no token.</p>"),
        Some(_) => {
            let _ = write!(page, "<p class=\"note\">Token: {}</p>", schemes.join(" or "));
        }
        None => {}
    }
    // Common parameters are references; the overview describes them.
    let parameters = items(&operation["parameters"]).filter(|one| one.get("$ref").is_none());
    let parameters: Vec<(&str, &Value)> = parameters.map(|one| (string(one, "name"), one)).collect();
    if !parameters.is_empty() {
        page.push_str("<h4>Parameters</h4>");
        page.push_str(&fields::parameters(document, parameters.into_iter()));
    }
    if let Some((media, content)) = content(&operation["requestBody"]) {
        let _ = write!(page, "<h4>Body <span class=\"kind\">{}</span></h4>", text(media));
        page.push_str(&fields::draw(document, &content["schema"]));
        example("Example", content, page);
    }
    page.push_str("<h4>Answers</h4>");
    for (status, response) in operation["responses"].as_object().into_iter().flatten() {
        draw_response(document, status, response, page);
    }
    page.push_str("</article>");
}

fn draw_response(document: &Value, status: &str, response: &Value, page: &mut String) {
    let class = status.chars().next().filter(char::is_ascii_digit).unwrap_or('x');
    let _ = write!(
        page,
        "<details class=\"answer\"><summary><span class=\"status s{class}\">{}</span> <span>{}</span></summary>",
        text(status),
        inline(string(response, "description"))
    );
    if let Some((media, content)) = content(response) {
        let schema = Some(&content["schema"]).filter(|schema| schema.is_object());
        let kind = schema.map(|schema| fields::kind(document, schema)).unwrap_or_default();
        let _ = write!(page, "<p class=\"kind\">{} {}</p>", text(media), text(&kind));
        if media != "application/problem+json" {
            page.push_str(&fields::draw(document, &content["schema"]));
        }
        example("Example", content, page);
    }
    let usual = ["X-Request-Id", "X-Server-Time"];
    let headers = response["headers"].as_object().into_iter().flatten();
    let headers: Vec<(&str, &Value)> = headers
        .map(|(name, header)| (name.as_str(), fields::resolve(document, header)))
        .filter(|(name, _)| !usual.contains(name))
        .collect();
    if !headers.is_empty() {
        page.push_str("<h5>Headers</h5>");
        page.push_str(&fields::parameters(document, headers.into_iter()));
    }
    page.push_str("</details>");
}

fn example(title: &str, content: &Value, page: &mut String) {
    let Some(example) = content.get("example") else { return };
    let pretty = serde_json::to_string_pretty(example).unwrap_or_default();
    let _ = write!(
        page,
        "<details class=\"example\"><summary>{title}</summary><pre tabindex=\"0\"><code>{}</code></pre></details>",
        text(&pretty)
    );
}

fn content(owner: &Value) -> Option<(&str, &Value)> {
    let (media, content) = owner["content"].as_object()?.iter().next()?;
    Some((media, content))
}

/// The operations of a chapter, in document order.
fn operations<'a>(
    document: &'a Value,
    tag: &'a str,
) -> impl Iterator<Item = (&'static str, &'a str, &'a Value)> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths
        .flat_map(|(path, item)| {
            METHODS.iter().filter_map(move |method| Some((*method, path.as_str(), item.get(method)?)))
        })
        .filter(move |(_, _, operation)| items(&operation["tags"]).any(|one| one == tag))
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A path that can break after each slash.
fn breakable(path: &str) -> String {
    text(path).replace('/', "/<wbr>")
}

fn anchor(name: &str) -> String {
    let letters = name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' });
    format!("tag-{}", letters.collect::<String>().to_ascii_lowercase())
}
