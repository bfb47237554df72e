//! Where the files of the repository are on the site.

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
    ("npm/package/README.md", "packages/core-npm.md"),
    ("npm/embed/package/README.md", "packages/embed.md"),
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
pub(super) fn relative(from: &str, to: &str) -> String {
    if to.starts_with('/') {
        return to.to_owned();
    }
    let from: Vec<&str> = from.split('/').collect();
    let to: Vec<&str> = to.split('/').collect();
    let common = from.iter().zip(&to).take(from.len() - 1).take_while(|(a, b)| a == b).count();
    let up = vec![".."; from.len() - 1 - common];
    [&up[..], &to[common..]].concat().join("/")
}

/// The file that a link of `file` names, from the root of the repository.
pub(super) fn resolve(file: &str, link: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts.join("/")
}
