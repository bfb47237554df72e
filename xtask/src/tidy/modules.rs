//! The modules of a crate, and the scripts of the pages, with what they import.

use std::collections::{BTreeMap, BTreeSet};

use super::source::Source;
use crate::files;

/// Names with the names that they use.
pub(super) type Graph = BTreeMap<String, BTreeSet<String>>;

/// The modules below `name/src`, such as `http::middleware::cors`, except the root of the crate and tests.
pub(super) fn of_crate(name: &str, sources: &[Source]) -> Graph {
    let folder = format!("{name}/src/");
    let module = |source: &Source| {
        let parts: Vec<&str> = source.path.strip_prefix(&folder)?.strip_suffix(".rs")?.split('/').collect();
        let is_left_out = matches!(parts[..], ["lib" | "main"])
            || parts.iter().any(|part| ["tests", "fixture"].contains(part));
        (!is_left_out).then(|| parts.join("::"))
    };
    let named: BTreeMap<String, &Source> =
        sources.iter().filter_map(|source| Some((module(source)?, source))).collect();
    let used = |name: &str, path: &Vec<String>| {
        let absolute = absolute(name, path);
        // The longest prefix that is a module is the module; the rest are items.
        let prefixes = (1..=absolute.len()).rev().map(|length| absolute[..length].join("::"));
        prefixes.into_iter().find(|prefix| named.contains_key(prefix)).filter(|used| used != name)
    };
    let all = |name: &String, source: &Source| {
        source.code.paths.iter().filter_map(|path| used(name, path)).collect()
    };
    named.iter().map(|(name, source)| (name.clone(), all(name, source))).collect()
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

/// The scripts without their endings. They import each other by `import … from "./a"`, `export … from "./a"` and `import "./a"`.
pub(super) fn of_scripts(sources: &[Source]) -> Graph {
    let scripts: BTreeMap<&str, &Source> =
        sources.iter().filter_map(|source| Some((stem(&source.path)?, source))).collect();
    let imported = |name: &str, line: &str| {
        let is_import = ["import ", "export ", "} from "].iter().any(|start| line.starts_with(start));
        let (_, specifier) = line.rsplit_once("\".").filter(|_| is_import)?;
        let path = files::resolve(name, &format!(".{}", specifier.split('"').next()?));
        let path = stem(&path).unwrap_or(&path);
        scripts.contains_key(path).then(|| path.to_owned())
    };
    let imports =
        |name: &str, source: &Source| source.text.lines().filter_map(|line| imported(name, line)).collect();
    scripts.iter().map(|(name, source)| ((*name).to_owned(), imports(name, source))).collect()
}

fn stem(path: &str) -> Option<&str> {
    [".ts", ".tsx", ".js", ".mjs"].iter().find_map(|ending| path.strip_suffix(ending))
}
