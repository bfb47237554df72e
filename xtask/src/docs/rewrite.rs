//! Links of Markdown, from the places of files in the repository to those on the site.

use super::pages::{place, relative, resolve};

/// `file` is the page's place in the repository, `page` on the site. The error names a link to what is not on the site.
pub(super) fn links(text: &str, file: &str, page: &str) -> Result<String, String> {
    let mut rewritten = String::with_capacity(text.len());
    let mut fence = None;
    for line in text.split_inclusive('\n') {
        let marks = line.trim_start().chars().take_while(|letter| *letter == '`').count();
        match fence {
            None if marks >= 3 => fence = Some(marks),
            Some(opened) if marks >= opened => fence = None,
            _ => {}
        }
        if fence.is_some() || marks >= 3 {
            rewritten.push_str(line);
        } else {
            rewritten.push_str(&of_line(line, file, page)?);
        }
    }
    Ok(rewritten)
}

fn of_line(line: &str, file: &str, page: &str) -> Result<String, String> {
    let mut rewritten = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("](") {
        rewritten.push_str(before);
        rewritten.push_str("](");
        let is_code = rewritten.matches('`').count() % 2 == 1;
        let Some((target, after)) = after.split_once(')').filter(|_| !is_code) else {
            rest = after;
            continue;
        };
        rewritten.push_str(&of_target(target, file, page)?);
        rewritten.push(')');
        rest = after;
    }
    rewritten.push_str(rest);
    Ok(rewritten)
}

fn of_target(target: &str, file: &str, page: &str) -> Result<String, String> {
    if target.starts_with('#') || target.starts_with('/') || target.contains(':') {
        return Ok(target.to_owned());
    }
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let named = resolve(file, path);
    let place = place(&named).ok_or_else(|| format!("{file}: {target} is not a page of the site."))?;
    let link = relative(page, &place);
    Ok(anchor.map_or_else(|| link.clone(), |anchor| format!("{link}#{anchor}")))
}

#[cfg(test)]
mod tests {
    use super::links;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, &str>) {
        let rewritten = links(text, "docs/guides/webhooks.md", "guides/webhooks.md");
        assert_eq!(rewritten.as_deref().map_err(String::as_str), expected);
    }

    #[test]
    fn links_lead_to_the_site() {
        check("see [a](../money.md#x) and [b](#here)", Ok("see [a](../money.md#x) and [b](#here)"));
        check("[py](../../examples/merchant.py).", Ok("[py](../examples.md#merchantpy)."));
        check("[types](../../www/embed/types.ts)", Ok("[types](/embed.d.ts)"));
        check("[out](https://example.com/a.md)", Ok("[out](https://example.com/a.md)"));
        check(
            "[gone](../../Cargo.toml)",
            Err("docs/guides/webhooks.md: ../../Cargo.toml is not a page of the site."),
        );
    }

    #[test]
    fn code_stays() {
        check("```js\na[0](../x.rs)\n```\n", Ok("```js\na[0](../x.rs)\n```\n"));
        check(
            "the text `[a](../x.rs)` and [b](businesses.md)",
            Ok("the text `[a](../x.rs)` and [b](businesses.md)"),
        );
    }
}
