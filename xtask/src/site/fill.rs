//! `{{name}}` placeholders of the pages.

/// Replaces every `{{name}}`; placeholders in `kept` stay for a later step.
///
/// The error continues a sentence that starts with the file's name.
pub(crate) fn fill(template: &str, values: &[(&str, String)], kept: &[&str]) -> Result<String, String> {
    let mut filled = String::with_capacity(template.len() + 128);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) =
            after.split_once("}}").ok_or_else(|| "has a `{{` without its `}}`.".to_owned())?;
        filled.push_str(before);
        match values.iter().find(|(known, _)| *known == name.trim()) {
            Some((_, value)) => filled.push_str(value),
            None if kept.contains(&name.trim()) => filled.push_str(&format!("{{{{{name}}}}}")),
            None => {
                let known: Vec<&str> =
                    values.iter().map(|(name, _)| *name).chain(kept.iter().copied()).collect();
                return Err(format!("has the placeholder {{{{{name}}}}}; known are {}.", known.join(", ")));
            }
        }
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[track_caller]
    fn check(template: &str, expected: Result<&str, &str>) {
        let values = [("css", "/assets/a.css".to_owned()), ("js", "/assets/a.js".to_owned())];
        let expected = expected.map(str::to_owned).map_err(str::to_owned);
        assert_eq!(fill(template, &values, &["glue"]), expected);
    }

    #[test]
    fn fills_known_placeholders_and_refuses_others() {
        check("<link href=\"{{css}}\">", Ok("<link href=\"/assets/a.css\">"));
        check("{{js}}{{ js }}{{css}}", Ok("/assets/a.js/assets/a.js/assets/a.css"));
        check("nothing {to} fill", Ok("nothing {to} fill"));
        check("from \"{{glue}}\"", Ok("from \"{{glue}}\""));
        check("a {{title}} b", Err("has the placeholder {{title}}; known are css, js, glue."));
        check("a {{css b", Err("has a `{{` without its `}}`."));
    }
}
