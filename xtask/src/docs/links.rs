//! Checks every link within the site: its page or file, and its anchor.

use std::collections::BTreeSet;

use crate::files;
use crate::files::Files;

/// What the gateway serves beside the site.
const GATEWAY: &[&str] =
    &["/", "/api/openapi.json", "/docs/llms.txt", "/embed.d.ts", "/embed.js", "/embed.json"];

/// What is not of the site; plain HTTP only on the reader's own machine.
const ELSEWHERE: &[&str] = &["https://", "http://127.0.0.1", "http://localhost", "mailto:"];

/// One line for each link that leads nowhere.
pub(super) fn broken(site: &Files) -> Vec<String> {
    let pages = || site.iter().filter(|(name, _)| name.ends_with(".html"));
    let text = |content: &[u8]| String::from_utf8_lossy(content).into_owned();
    let ids = |(name, content): (&String, &Vec<u8>)| {
        values(&text(content), &["id"]).into_iter().map(|id| format!("{name}#{id}")).collect::<Vec<_>>()
    };
    let anchors: BTreeSet<String> = pages().flat_map(ids).collect();
    let mut broken = BTreeSet::new();
    for (name, content) in pages() {
        let links = values(&text(content), &["href", "src", "srcset"]).into_iter();
        let lost = links.filter(|link| !leads_somewhere(link, name, site, &anchors));
        broken.extend(lost.map(|link| format!("{name}: {link}")));
    }
    broken.into_iter().collect()
}

fn leads_somewhere(link: &str, page: &str, site: &Files, anchors: &BTreeSet<String>) -> bool {
    if link.starts_with('/') {
        return GATEWAY.contains(&link);
    }
    if ELSEWHERE.iter().any(|start| link.starts_with(start)) {
        return true;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() { page.to_owned() } else { files::resolve(page, path) };
    site.contains_key(&target) && (anchor.is_empty() || anchors.contains(&format!("{target}#{anchor}")))
}

/// The values of these attributes in the tags of a page.
fn values(html: &str, names: &[&str]) -> Vec<String> {
    let page = tl::parse(html, tl::ParserOptions::default()).expect("a page is shorter than 4 GB");
    let tags = page.nodes().iter().filter_map(tl::Node::as_tag);
    let value =
        |tag: &tl::HTMLTag<'_>, name: &&str| Some(tag.attributes().get(*name)??.as_utf8_str().into_owned());
    tags.flat_map(|tag| names.iter().filter_map(|name| value(tag, name))).collect()
}

#[cfg(test)]
mod tests {
    use super::broken;
    use crate::files::Files;

    #[test]
    #[rustfmt::skip]
    fn broken_links_are_listed() {
        let page = |html: &str| html.as_bytes().to_vec();
        let site = Files::from([
            ("index.html".to_owned(), page("<a href=\"a/b.html#x\"></a><a href=\"a/b.html#y\"></a><a href=\"/embed.d.ts\"></a>")),
            ("a/b.html".to_owned(), page("<h2 id=\"x\"><a href=\"#x\"></a><a href=\"../c.html\"></a><img src=\"p.svg\"><a href=\"/nothing\">")),
        ]);
        assert_eq!(broken(&site), ["a/b.html: ../c.html", "a/b.html: /nothing", "a/b.html: p.svg", "index.html: a/b.html#y"]);
    }
}
