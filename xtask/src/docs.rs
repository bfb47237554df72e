//! Builds `target/docs`: the documentation as a site, and every page as Markdown.
//!
//! ```text
//! docs/SUMMARY.md ────────── the pages, in their order ──────┐
//! docs/, READMEs, examples ─ links between pages rewritten ──┼─> target/xtask/book ── mdBook ──> *.html
//! OpenAPI document ───────── reference/*.md ─────────────────┘          └──────────────────────> *.md, llms.txt
//! ```
//!
//! Every link within the site is checked, with its anchor.

mod api;
mod links;
mod llms;
pub(crate) mod rewrite;
mod stage;

use std::process::Command;

use crate::files::{Files, read_all, sums, write_all};
use crate::workspace::Workspace;
use crate::{Outcome, files, process, setup};

/// The files that no page of ours uses. mdBook writes them in any case.
#[rustfmt::skip]
const UNUSED: &[&str] = &[
    "css/", "fonts/", "FontAwesome/", ".nojekyll", "404.html", "ayu-highlight", "clipboard", "favicon-8114d1fc.png",
    "highlight-493f70e1.css", "print.html", "toc-", "toc.html", "tomorrow-night",
];

/// What is wrong with the pages before mdBook reads them: a link to what is no page, a page without a line in the summary.
pub(crate) fn fault(workspace: &Workspace) -> Option<String> {
    stage::files(&workspace.root).err()
}

/// The files of the site, with names below `/docs`.
pub(crate) fn build(workspace: &Workspace) -> Outcome<Files> {
    let site = workspace.target.join("docs");
    let staged = stage::files(&workspace.root)?;
    let code = [include_str!("docs.rs"), include_str!("docs/links.rs"), include_str!("docs/llms.rs")];
    let stamp = format!("{} {}\n{}", setup::MDBOOK.1, files::digest(&code), sums(&staged));
    let stamp_file = workspace.scratch().join("docs.stamp");
    if files::read_text(&stamp_file).is_ok_and(|old| old == stamp) {
        return read_all(&site);
    }
    let mdbook = setup::cargo_tool(workspace, &setup::MDBOOK)?;
    let book = workspace.scratch().join("book");
    files::empty_folder(&book)?;
    write_all(&book, &staged)?;
    process::capture(Command::new(mdbook).arg("build").current_dir(&book))?;
    let mut built = read_all(&book.join("book"))?;
    finish(&mut built, &staged)?;
    files::empty_folder(&site)?;
    write_all(&site, &built)?;
    files::write(&stamp_file, &stamp)?;
    let pages = built.keys().filter(|name| name.ends_with(".html")).count();
    println!("docs: {pages} pages, {}", site.display());
    Ok(built)
}

/// From mdBook's output to the site.
fn finish(built: &mut Files, staged: &Files) -> Outcome<()> {
    built.retain(|name, _| !UNUSED.iter().any(|start| name.starts_with(start)));
    for (name, content) in built.iter_mut() {
        let text = String::from_utf8_lossy(content);
        if name.ends_with(".html") {
            *content = with_contents(&text, name)?.into_bytes();
        } else if name.starts_with("searcher-") {
            *content = without_inline_style(&text)?.into_bytes();
        }
    }
    for (name, content) in staged {
        let Some(page) = name.strip_prefix("src/").filter(|name| *name != "SUMMARY.md") else { continue };
        if page.ends_with(".md") {
            built.insert(page.to_owned(), content.clone());
        }
    }
    let summary = String::from_utf8_lossy(&staged["src/SUMMARY.md"]);
    built.insert("llms.txt".to_owned(), llms::text(&summary, staged).into_bytes());
    let broken = links::broken(built);
    if broken.is_empty() {
        Ok(())
    } else {
        Err(format!("Broken links of the documentation:\n{}", broken.join("\n")))
    }
}

/// The links of the contents, relative to the page, with its own marked: mdBook writes them as for the front page.
fn with_contents(html: &str, page: &str) -> Outcome<String> {
    let parts = html.split_once("<ol class=\"chapter\">");
    let parts = parts.and_then(|(before, rest)| Some((before, rest.split_once("</nav>")?)));
    let (before, (list, after)) = parts.ok_or_else(|| format!("{page} has no list of pages."))?;
    let own = format!("<a href=\"{page}\"");
    let list = list.replace(&own, &format!("{own} aria-current=\"page\""));
    let list = list.replace("<a href=\"", &format!("<a href=\"{}", "../".repeat(page.matches('/').count())));
    Ok([before, "<ol class=\"chapter\">", &list, "</nav>", after].concat())
}

/// The licence of the script asks for it; those of the others are at their top already.
const NOTICE: &str =
    "/* The search of mdBook (MPL-2.0, https://github.com/rust-lang/mdBook), with one line changed. */\n";

/// The policy of the pages allows no style attribute; the field that mdBook's script hides for a moment has none.
fn without_inline_style(script: &str) -> Outcome<String> {
    const STYLE: &str = "tmp.setAttribute('style', 'position: absolute; opacity: 0;');";
    match script.split_once(STYLE) {
        Some((before, after)) => Ok([NOTICE, before, "tmp.className = 'skip';", after].concat()),
        None => Err("mdBook's search script has changed: is its inline style gone?".to_owned()),
    }
}
