//! Compares the crate's public API with the snapshot `tests/api.txt`.
//!
//! The lint `unreachable_pub` ensures that every `pub` item is reachable from outside, so the list is read
//! from the source. `CHECKOUT_BLESS=1 cargo test -p checkout-core api` renews it.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn the_public_api_matches_the_snapshot() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    collect(&folder.join("src"), &mut files);
    files.sort();
    let mut surface = String::new();
    for file in files {
        let items = items(&fs::read_to_string(&file).unwrap());
        if !items.is_empty() {
            let name = file.strip_prefix(&folder).unwrap().display();
            surface += [&name.to_string(), items.join("\n").as_str(), ""].join("\n").as_str();
        }
    }
    let snapshot = folder.join("tests/api.txt");
    if std::env::var_os("CHECKOUT_BLESS").is_some() {
        fs::write(&snapshot, &surface).unwrap();
    }
    let committed = fs::read_to_string(&snapshot).unwrap();
    for (line, expected) in surface.lines().zip(committed.lines()) {
        assert_eq!(line, expected, "tests/api.txt: renew it with CHECKOUT_BLESS=1 and review the difference");
    }
    assert_eq!(
        surface.lines().count(),
        committed.lines().count(),
        "tests/api.txt has a different number of lines"
    );
}

/// What a library sees, without the feature `gateway`: the names of `lib.rs`, and of its public modules.
#[test]
fn a_library_has_a_page_of_names() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    let source = |name: &str| fs::read_to_string(folder.join(format!("{name}.rs"))).unwrap();
    let root = source("lib");
    let exports = root.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let mut names: Vec<String> = exports
        .flat_map(|path| path.trim_end_matches('}').rsplit(['{', ':']).next().unwrap_or(path).split(','))
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect();
    for module in root.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')) {
        names.push(module.to_owned());
        let items = source(module);
        let kinds = ["pub fn ", "pub struct ", "pub enum ", "pub const ", "pub static "];
        let items = items.lines().filter_map(|line| kinds.iter().find_map(|kind| line.strip_prefix(kind)));
        names.extend(items.map(|item| {
            let name = item.split(|character: char| !character.is_alphanumeric() && character != '_').next();
            format!("{module}::{}", name.unwrap_or(item))
        }));
    }
    assert!(names.len() <= 60 && names.contains(&"tag::split".to_owned()), "{}: {names:?}", names.len());
    assert!(names.contains(&"check".to_owned()), "{names:?}");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Public items with their whole signature, and enumerations with their variants.
fn items(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or(source);
    let mut lines = code.lines().map(|line| line.split(" // ").next().unwrap_or(line));
    let mut items = Vec::new();
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        let indent = &line[..line.len() - start.len()];
        if ["codes! {", "$with! {"].contains(&start) || start.starts_with("pub enum ") {
            let end = format!("{indent}}}");
            let body = lines.by_ref().take_while(|line| *line != end).map(str::trim);
            let body = body.filter(|line| !line.is_empty() && !line.starts_with(['/', '#']));
            items.push(format!("    {start} {}", body.collect::<Vec<_>>().join(" ")));
        } else if start.starts_with("pub ") && !start.contains("$name") {
            let mut item = start.to_owned();
            while !item.ends_with(['{', ';', ',', '}'])
                || item.matches('(').count() != item.matches(')').count()
            {
                let Some(next) = lines.next() else { break };
                item.push(' ');
                item.push_str(next.trim());
            }
            items.push(format!("    {}", item.trim_end_matches(['{', ' ', ','])));
        }
    }
    items
}
