//! What mdBook reads: its settings, our theme, and the pages under `src/`.

use std::path::Path;

use super::{api, rewrite};
use crate::files::{Files, read_all};
use crate::{Outcome, files};

pub(super) fn files(root: &Path) -> Outcome<Files> {
    let docs = root.join("docs");
    let mut staged = read_all(&docs.join("site"))?;
    let images = read_all(&docs.join("images"))?;
    staged.extend(images.into_iter().map(|(name, content)| (format!("src/images/{name}"), content)));
    let generated = api::pages(root)?;
    let summary = files::read_text(&docs.join("SUMMARY.md"))?;
    // The pages' places on the site, and each page's file with its place.
    let mut sources = Vec::new();
    let summary = rewrite::targets(&summary, |link| {
        let file = files::resolve("docs/SUMMARY.md", link);
        // The front page of the repository is none, because the site has its own.
        let is_page = |place: &String| file != "README.md" && place.ends_with(".md");
        let written = || rewrite::place(&file).filter(is_page);
        let page = generated.contains_key(link).then(|| link.to_owned()).or_else(written);
        let page = page.ok_or_else(|| format!("docs/SUMMARY.md: {link} is not a page of the site."))?;
        sources.push((file, page.clone()));
        Ok(page)
    })?;
    for (source, page) in sources {
        let text = match generated.get(&page) {
            Some(text) => String::from_utf8_lossy(text).into_owned(),
            None => rewrite::links(&whole(root, &source)?, &source, &page)?,
        };
        staged.insert(format!("src/{page}"), text.into_bytes());
    }
    for page in generated.keys() {
        if !staged.contains_key(&format!("src/{page}")) {
            return Err(format!("docs/SUMMARY.md has no line for {page}, which is generated."));
        }
    }
    staged.insert("src/SUMMARY.md".to_owned(), summary.into_bytes());
    Ok(staged)
}

/// A page with the files that it includes, as in mdBook.
fn whole(root: &Path, page: &str) -> Outcome<String> {
    let text = files::read_text(&root.join(page))?;
    let lines = text.split_inclusive('\n').map(|line| {
        match line.strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}\n")) {
            Some(file) => files::read_text(&root.join(files::resolve(page, file))),
            None => Ok(line.to_owned()),
        }
    });
    lines.collect()
}
