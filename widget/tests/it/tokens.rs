//! The custom properties of `www/styles`: documented, complete in both themes, and the only colours.

use std::collections::BTreeSet;
use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The custom properties in a text before `end`.
fn properties<'a>(text: &'a str, end: &str) -> BTreeSet<&'a str> {
    let named = text.match_indices("--checkout-").map(|(at, _)| {
        let rest = &text[at..];
        rest.split_at(rest.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(rest.len()))
    });
    named.filter(|(_, rest)| rest.starts_with(end)).map(|(name, _)| name).collect()
}

#[test]
fn every_property_is_documented_and_used() {
    let declared = read("www/styles/tokens.css");
    let declared = properties(&declared, ":");
    let documented = read("docs/theming.md");
    assert_eq!(declared, properties(&documented, "`"));

    let entry = read("www/styles/checkout.css");
    let files = entry.lines().filter_map(|line| line.strip_prefix("@import \"./")?.strip_suffix("\";"));
    let styles: String = files.map(|file| read(&format!("www/styles/{file}"))).collect();
    assert_eq!(declared, properties(&styles, ")"));
}

#[test]
fn the_dark_theme_is_the_same_by_choice_and_by_device() {
    let tokens = read("www/styles/tokens.css");
    let block = |start: &str| {
        let (_, rest) = tokens.split_once(start).expect("the block is there");
        let (block, _) = rest.split_once('}').expect("the block ends");
        block.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>()
    };
    assert_eq!(block(":root:not([data-theme=\"LIGHT\"]) {"), block(":root[data-theme=\"DARK\"] {"));
}

#[test]
fn only_tokens_define_colours_and_font_sizes() {
    for entry in
        std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../www/styles")).expect("a folder")
    {
        let path = entry.expect("a file").path();
        if path.ends_with("tokens.css") {
            continue;
        }
        for line in std::fs::read_to_string(&path).expect("a text").lines() {
            let at = format!("{}: {line}", path.display());
            assert!(
                !line.contains("rgb(") && !line.contains(": #") || line.contains("background: #fff"),
                "{at}"
            );
            assert!(!line.contains("font") || !line.contains("px"), "{at}");
        }
    }
}
