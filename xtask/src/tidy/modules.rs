//! The modules of a crate, and the scripts of the pages, with what they import. No circle of imports: where `a` uses `b`, directly or
//! through others, `b` does not use `a`.
//!
//! A module and the modules inside it count as one, so that splitting a module needs no new rule.

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

/// Checks every crate and the scripts of the pages.
pub(super) fn check(sources: &[Source]) -> Vec<String> {
    let roots = sources.iter().filter_map(|source| {
        ["/src/lib.rs", "/src/main.rs"].iter().find_map(|root| source.path.strip_suffix(root))
    });
    let crates: BTreeSet<&str> = roots.collect();
    let of_crates = crates.into_iter().filter_map(|name| {
        let mut graph = of_crate(name, sources);
        for (module, used) in &mut graph {
            used.retain(|used| !is_inside(used, module) && !is_inside(module, used));
        }
        circle(&format!("{name}/src"), &graph)
    });
    of_crates.chain(circle("scripts", &of_scripts(sources))).collect()
}

/// True if `inner` is inside `outer`, as `a::b` is inside `a`.
fn is_inside(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with("::"))
}

/// One circle, if there is any.
fn circle(place: &str, graph: &Graph) -> Option<String> {
    let mut seen = BTreeSet::new();
    let way = graph.keys().find_map(|start| follow(graph, &[start], &mut seen))?.join(" -> ");
    Some(format!("{place}: a circle of imports: {way}; move what they share into a module that uses neither"))
}

/// The modules on a way that comes back to one of them; what was `seen` before leads to none.
fn follow<'a>(graph: &'a Graph, way: &[&'a str], seen: &mut BTreeSet<&'a str>) -> Option<Vec<&'a str>> {
    let last = way[way.len() - 1];
    if let Some(at) = way[..way.len() - 1].iter().position(|module| *module == last) {
        return Some(way[at..].to_vec());
    }
    let is_new = seen.insert(last);
    let mut used = graph.get(last).filter(|_| is_new).into_iter().flatten();
    used.find_map(|used| follow(graph, &[way, &[used]].concat(), seen))
}

#[cfg(test)]
mod tests {
    use super::{Source, check};

    #[test]
    #[rustfmt::skip]
    fn circles() {
        let check = |files: &[(&str, &str)], expected: &str| {
            let files = files.iter().chain(&[("gateway/src/lib.rs", "")]);
            let sources: Vec<Source> = files.map(|(path, text)| Source::new(path, text)).collect();
            super::super::expect(&check(&sources), expected, expected);
        };
        let a = |text: &'static str| ("gateway/src/a.rs", text);
        let (b, c) = (("gateway/src/b.rs", "use crate::c::{C, D};"), "gateway/src/c.rs");
        check(&[a("use crate::b::B;"), b, (c, "")], "");
        check(
            &[a("use crate::b::B;"), b, (c, "fn f() { crate::a::g() }")],
            "gateway/src: a circle of imports: a -> b -> c -> a; move what they share",
        );
        check(&[a("use self::b::B;"), ("gateway/src/a/b.rs", "use super::A;")], "");
        let inner = [("gateway/src/a/b.rs", "use super::c::C;"), ("gateway/src/a/c.rs", "use crate::a::b::{self, B};")];
        check(&[a(""), inner[0], inner[1]], "a::b -> a::c -> a::b;");
        let scripts = [
            ("www/a.ts", "import { b } from \"./c/b\";\nimport type {\n  D,\n} from \"./d.ts\";"),
            ("www/c/b.ts", "export * from \"../d\";\nimport \"preact\";"),
            ("www/d.tsx", "const a = \"./a\";"),
        ];
        check(&scripts, "");
        check(&[scripts[0], scripts[1], ("www/d.tsx", "import \"./a\";")], "scripts: a circle of imports: www/a -> www/c/b -> www/d -> www/a;");
    }
}
