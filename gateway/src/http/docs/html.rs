//! HTML escaping and Markdown.

use pulldown_cmark::{Event, Parser, html};
use serde_json::Value;

/// Escapes a text for HTML, in elements and in quoted attributes.
pub(super) fn text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// Converts CommonMark to HTML; HTML in it is shown as text.
pub(super) fn markdown(source: &str) -> String {
    let events = Parser::new(source).map(|event| match event {
        Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
        other => other,
    });
    let mut page = String::new();
    html::push_html(&mut page, events);
    page
}

/// The same on one line, without the enclosing paragraph.
pub(super) fn inline(source: &str) -> String {
    let page = markdown(source);
    let page = page.trim();
    page.strip_prefix("<p>").and_then(|rest| rest.strip_suffix("</p>")).unwrap_or(page).to_owned()
}

/// A text of the document; empty if it is missing.
pub(super) fn string<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_never_markup() {
        assert_eq!(text("<a href=\"x\">'&'</a>"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
        assert_eq!(inline("a `b` <script>c</script>"), "a <code>b</code> &lt;script&gt;c&lt;/script&gt;");
        assert_eq!(inline("`<a>`"), "<code>&lt;a&gt;</code>");
    }
}
