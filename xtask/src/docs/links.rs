//! Checks every link within the site: its page or file, and its anchor.

use std::collections::BTreeSet;

use crate::files;
use crate::folder::Files;

/// What the gateway serves beside the site.
const GATEWAY: &[&str] =
    &["/", "/api/openapi.json", "/docs/llms.txt", "/embed.d.ts", "/embed.js", "/embed.json"];

/// What is not of the site; plain HTTP only on the reader's own machine.
const ELSEWHERE: &[&str] = &["https://", "http://127.0.0.1", "http://localhost", "mailto:"];

/// One line for each link that leads nowhere.
pub(super) fn broken(site: &Files) -> Vec<String> {
    let pages = || site.iter().filter(|(name, _)| super::is_page(name));
    let anchors: BTreeSet<String> = pages()
        .flat_map(|(name, content)| {
            let html = String::from_utf8_lossy(content).into_owned();
            values(&html, "id").map(|id| format!("{name}#{id}")).collect::<Vec<_>>()
        })
        .collect();
    let mut broken = Vec::new();
    for (name, content) in pages() {
        let html = String::from_utf8_lossy(content);
        for link in values(&html, "href").chain(values(&html, "src")) {
            if !leads_somewhere(link, name, site, &anchors) {
                broken.push(format!("{name}: {link}"));
            }
        }
    }
    broken.sort();
    broken.dedup();
    broken
}

fn leads_somewhere(link: &str, page: &str, site: &Files, anchors: &BTreeSet<String>) -> bool {
    if link.starts_with('/') {
        return GATEWAY.contains(&link);
    }
    if ELSEWHERE.iter().any(|start| link.starts_with(start)) {
        return true;
    }
    let (path, anchor) = link.split_once('#').map_or((link, ""), |(path, anchor)| (path, anchor));
    let target = if path.is_empty() { page.to_owned() } else { files::resolve(page, path) };
    site.contains_key(&target) && (anchor.is_empty() || anchors.contains(&format!("{target}#{anchor}")))
}

/// The value of each attribute `name` in the tags of a page, without text between tags.
fn values<'a>(html: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    html.split('<')
        .skip(1)
        .filter(|tag| tag.starts_with(|letter: char| letter.is_ascii_alphabetic()))
        .filter_map(move |tag| {
            let (element, mut rest) = tag.split_once(' ')?;
            if element.contains('>') {
                return None;
            }
            loop {
                let (key, after) = rest.split_once("=\"")?;
                let (value, after) = after.split_once('"')?;
                if key.contains('>') {
                    return None;
                }
                if key.trim_start().rsplit(' ').next() == Some(name) {
                    return Some(value);
                }
                rest = after;
            }
        })
}

#[cfg(test)]
mod tests {
    use super::broken;
    use crate::folder::Files;

    #[test]
    fn broken_links_are_listed() {
        let page = |html: &str| html.as_bytes().to_vec();
        let site = Files::from([
            (
                "index.html".to_owned(),
                page("<a href=\"a/b.html#x\"></a><a href=\"a/b.html#y\"></a><a href=\"/embed.d.ts\"></a>"),
            ),
            (
                "a/b.html".to_owned(),
                page(
                    "<h2 id=\"x\"><a href=\"#x\"></a><a href=\"../c.html\"></a><img src=\"p.svg\"><a href=\"/nothing\">",
                ),
            ),
        ]);
        assert_eq!(
            broken(&site),
            ["a/b.html: ../c.html", "a/b.html: /nothing", "a/b.html: p.svg", "index.html: a/b.html#y"]
        );
    }
}
