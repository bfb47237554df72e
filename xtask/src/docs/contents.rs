//! The list of all pages, which each page contains: it works without scripts.

use crate::Outcome;

/// In the theme's `index.hbs`.
const MARK: &str = "<!-- contents -->";

/// The list in mdBook's `toc.html`.
pub(super) fn list(toc: &str) -> Outcome<String> {
    let start = toc.find("<ol class=\"chapter\">");
    let end = toc.rfind("</ol>");
    match (start, end) {
        (Some(start), Some(end)) => Ok(toc[start..end + 5].replace(" target=\"_parent\"", "")),
        _ => Err("mdBook's toc.html has no list.".to_owned()),
    }
}

/// Removes mdBook's second, larger copy of each picture: ours are shown in full size.
pub(super) fn without_zoom(html: &str) -> String {
    const START: &str = "<label class=\"checkbox-label\"><input class=\"checkbox-img\" type=\"checkbox\">";
    const SECOND: &str = "<span class=\"img-wrapper\">";
    let mut plain = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, zoom)) = rest.split_once(START) {
        let Some((picture, after)) = zoom.split_once(SECOND) else { break };
        let Some((_, after)) = after.split_once("</span></label>") else { break };
        plain.push_str(before);
        plain.push_str(picture);
        rest = after;
    }
    plain.push_str(rest);
    plain
}

/// Puts the list into a page, with links that are relative to it, and marks the page's own.
pub(super) fn fill(html: &str, page: &str, list: &str) -> Outcome<String> {
    let up = "../".repeat(page.matches('/').count());
    let own = format!("<a href=\"{page}\">");
    let list = list.replace(&own, &format!("<a href=\"{page}\" aria-current=\"page\">"));
    let list = list.replace("<a href=\"", &format!("<a href=\"{up}"));
    if html.contains(MARK) { Ok(html.replace(MARK, &list)) } else { Err(format!("{page} has no {MARK}.")) }
}
