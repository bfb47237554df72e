//! Page templates: `{{name}}` is replaced with an escaped value.

use std::fmt::Write as _;

/// Replaces every placeholder.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut page = String::with_capacity(template.len() + 1024);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let Some((name, after)) = after.split_once("}}") else {
            page.push_str("{{");
            rest = after;
            continue;
        };
        let value = values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        debug_assert!(value.is_some(), "no value for {name:?}");
        escape(&mut page, value.unwrap_or_default());
        rest = after;
    }
    page.push_str(rest);
    page
}

/// Escapes for text and for quoted attribute values.
fn escape(page: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' | '<' | '>' | '"' | '\'' => {
                let _ = write!(page, "&#{};", u32::from(character));
            }
            other => page.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(template: &str, expected: &str) {
        let values = [("name", "Tea & <b>\"cakes\"</b>'"), ("twice", "{{name}}")];
        assert_eq!(fill(template, &values), expected);
    }

    #[test]
    fn values_are_text() {
        check("", "");
        check("no hole }} here", "no hole }} here");
        check("{{name}}", "Tea &#38; &#60;b&#62;&#34;cakes&#34;&#60;/b&#62;&#39;");
        check("{{twice}}", "{{name}}");
        check("open {{name", "open {{name");
    }
}
