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

    #[test]
    fn fills_known_placeholders_and_refuses_others() {
        let values = [("css", "/a.css".to_owned()), ("js", "/a.js".to_owned())];
        for (template, expected) in [
            ("{{js}}{{ js }}{{css}} {to}", Ok("/a.js/a.js/a.css {to}")),
            ("from \"{{glue}}\"", Ok("from \"{{glue}}\"")),
            ("a {{title}} b", Err("has the placeholder {{title}}; known are css, js, glue.")),
            ("a {{css b", Err("has a `{{` without its `}}`.")),
        ] {
            let filled = fill(template, &values, &["glue"]);
            assert_eq!(filled.as_deref().map_err(String::as_str), expected);
        }
    }
}
