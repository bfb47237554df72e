//! The modules of a crate and what they import.

use std::collections::BTreeSet;

use super::rust::paths;
use super::source::Source;

pub(crate) struct Module {
    /// `http::middleware::cors`
    pub(crate) name: String,
    /// The path from the root of the repository.
    pub(crate) path: String,
    /// The modules of the same crate that its code names, without tests.
    pub(crate) uses: BTreeSet<String>,
}

/// The modules below `name/src`, except the root of the crate and tests.
pub(crate) fn modules(name: &str, sources: &[Source]) -> Vec<Module> {
    let folder = format!("{name}/src/");
    let named: Vec<(String, &Source)> = sources
        .iter()
        .filter_map(|source| Some((module_name(source.path.strip_prefix(&folder)?)?, source)))
        .collect();
    let known: BTreeSet<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
    let module = |(name, source): &(String, &Source)| Module {
        name: name.clone(),
        path: source.path.clone(),
        uses: uses(name, &source.code.shipped, &known),
    };
    named.iter().map(module).collect()
}

fn module_name(path: &str) -> Option<String> {
    let path = path.strip_suffix(".rs")?;
    let parts: Vec<&str> = path.split('/').collect();
    let is_root = matches!(path, "lib" | "main");
    (!is_root && !parts.contains(&"tests") && !parts.contains(&"fixture")).then(|| parts.join("::"))
}

fn uses(module: &str, tokens: &[String], names: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for path in paths(tokens) {
        let absolute = absolute(module, &path);
        // The longest prefix that is a module is the module; the rest are items.
        let used = (1..=absolute.len()).rev().map(|length| absolute[..length].join("::"));
        found.extend(
            used.into_iter().find(|name| names.contains(name.as_str())).filter(|name| name != module),
        );
    }
    found
}

/// Resolves `crate::…`, `self::…` and `super::…` to segments from the root of the crate.
fn absolute(module: &str, path: &[String]) -> Vec<String> {
    let mut segments: Vec<String> = module.split("::").map(str::to_owned).collect();
    for segment in path {
        match segment.as_str() {
            "crate" => segments.clear(),
            "self" => {}
            "super" => drop(segments.pop()),
            name => segments.push(name.to_owned()),
        }
    }
    segments
}
