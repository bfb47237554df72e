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
