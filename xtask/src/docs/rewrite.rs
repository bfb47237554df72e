//! Links of Markdown, from the places of files in the repository to those on the site.

use std::ops::Range;
use std::path::Path;

use pulldown_cmark::{Event, Parser, Tag};

use crate::{Outcome, files};

/// `file` is the page's place in the repository, `page` on the site. The error names a link to what is not on the site.
pub(super) fn links(text: &str, file: &str, page: &str) -> Outcome<String> {
    targets(text, |target| of_target(target, file, page))
}

/// Links to files of the repository lead to `base`; `file` is the text's place in the repository.
pub(crate) fn absolute(text: &str, file: &str, base: &str) -> Outcome<String> {
    targets(text, |link| {
        let is_elsewhere = link.contains(':') || link.starts_with('#');
        Ok(if is_elsewhere { link.to_owned() } else { base.to_owned() + &files::resolve(file, link) })
    })
}

/// Replaces the target of each link and picture.
pub(super) fn targets(text: &str, mut new: impl FnMut(&str) -> Outcome<String>) -> Outcome<String> {
    let target = |(event, range): (Event<'_>, Range<usize>)| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            let start = text[range.clone()].rfind(&format!("]({dest_url}"))? + 2;
            Some((range.start + start, dest_url.into_string()))
        }
        _ => None,
    };
    let mut targets: Vec<_> = Parser::new(text).into_offset_iter().filter_map(target).collect();
    targets.sort();
    let (mut rewritten, mut read) = (String::with_capacity(text.len()), 0);
    for (start, target) in targets {
        rewritten += &text[read..start];
        rewritten += &new(&target)?;
        read = start + target.len();
    }
    Ok(rewritten + &text[read..])
}

fn of_target(target: &str, file: &str, page: &str) -> Outcome<String> {
    if target.starts_with('#') || target.starts_with('/') || target.contains(':') {
        return Ok(target.to_owned());
    }
    let (path, anchor) = target.split_at(target.find('#').unwrap_or(target.len()));
    let place = place(&files::resolve(file, path));
    let place = place.ok_or_else(|| format!("{file}: {target} is not a page of the site."))?;
    Ok(relative(page, &place) + anchor)
}

/// Files outside `docs/` that are pages, and the anchors of examples.
const ELSEWHERE: &[(&str, &str)] = &[
    ("README.md", "index.md"),
    ("ARCHITECTURE.md", "architecture.md"),
    ("CHANGELOG.md", "changelog.md"),
    ("CONTRIBUTING.md", "contributing.md"),
    ("SECURITY.md", "security.md"),
    ("core/README.md", "packages/core.md"),
    ("bindings/README.md", "packages/languages.md"),
    ("bindings/c/README.md", "packages/core-c.md"),
    ("bindings/php/README.md", "packages/core-php.md"),
    ("bindings/python/README.md", "packages/core-python.md"),
    ("npm/client/package/README.md", "packages/client-typescript.md"),
    ("npm/medusa/package/README.md", "packages/medusa.md"),
    ("npm/package/README.md", "packages/core-npm.md"),
    ("npm/embed/package/README.md", "packages/embed.md"),
    ("npm/widget/package/README.md", "packages/widget.md"),
    ("packaging/pretix/README.md", "packages/pretix.md"),
    ("packaging/python/README.md", "packages/client-python.md"),
    ("www/embed/types.ts", "/embed.d.ts"),
    ("examples/README.md", "examples.md"),
    ("core/examples/check_address.rs", "examples.md#check_addressrs"),
];

/// The place of a file on the site, with an anchor for an example; `None` if it is not there.
pub(super) fn place(file: &str) -> Option<String> {
    if let Some((_, place)) = ELSEWHERE.iter().find(|(source, _)| *source == file) {
        return Some((*place).to_owned());
    }
    if let Some(name) = file.strip_prefix("examples/") {
        return Some(format!("examples.md#{}", name.replace('.', "")));
    }
    let inside = file.strip_prefix("docs/")?;
    let is_known = matches!(inside.rsplit_once('.'), Some((_, "md" | "svg" | "png")));
    let folder = inside.strip_suffix("README.md");
    is_known.then(|| folder.map_or_else(|| inside.to_owned(), |folder| format!("{folder}index.md")))
}

/// `to`, seen from the page `from`.
fn relative(from: &str, to: &str) -> String {
    let folder = Path::new(from).parent().filter(|_| !to.starts_with('/'));
    let link = folder.and_then(|folder| pathdiff::diff_paths(to, folder));
    link.map_or_else(|| to.to_owned(), |link| link.display().to_string())
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
    #[rustfmt::skip]
    fn links_lead_to_the_site_and_code_stays() {
        check("see [a](../money.md#x) and [b](#here)", Ok("see [a](../money.md#x) and [b](#here)"));
        check("[py](../../examples/merchant.py).", Ok("[py](../examples.md#merchantpy)."));
        check("[types](../../www/embed/types.ts)", Ok("[types](/embed.d.ts)"));
        check("[out](https://example.com/a.md)", Ok("[out](https://example.com/a.md)"));
        check("[gone](../../Cargo.toml)", Err("docs/guides/webhooks.md: ../../Cargo.toml is not a page of the site."));
        check("```js\na[0](../x.rs)\n```\n", Ok("```js\na[0](../x.rs)\n```\n"));
        check("the text `[a](../x.rs)` and [b](businesses.md)", Ok("the text `[a](../x.rs)` and [b](businesses.md)"));
    }
}
