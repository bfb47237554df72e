//! No circle of imports: where `a` uses `b`, directly or through others, `b` does not use `a`.
//!
//! A module and the modules inside it count as one, so that splitting a module needs no new rule.

use std::collections::{BTreeSet, VecDeque};

use super::modules::{Graph, of_crate, of_scripts};
use super::source::Source;

/// Checks every crate and the scripts of the pages.
pub(super) fn check(sources: &[Source]) -> Vec<String> {
    let roots = sources.iter().filter_map(|source| {
        ["/src/lib.rs", "/src/main.rs"].iter().find_map(|root| source.path.strip_suffix(root))
    });
    let crates: BTreeSet<&str> = roots.collect();
    let of_crates = crates.into_iter().flat_map(|name| {
        let mut graph = of_crate(name, sources);
        for (module, used) in &mut graph {
            used.retain(|used| !is_inside(used, module) && !is_inside(module, used));
        }
        circles(&format!("{name}/src"), &graph)
    });
    of_crates.chain(circles("scripts", &of_scripts(sources))).collect()
}

/// True if `inner` is inside `outer`, as `a::b` is inside `a`.
pub(super) fn is_inside(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with("::"))
}

fn circles(place: &str, graph: &Graph) -> Vec<String> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for circle in graph.keys().filter_map(|start| shortest(graph, start)) {
        if seen.insert(circle.iter().copied().collect::<BTreeSet<_>>()) {
            let (way, start) = (circle.join(" -> "), circle[0]);
            found.push(format!("{place}: a circle of imports: {way} -> {start}; move what they share into a module that uses neither"));
        }
    }
    found
}

/// The modules on the shortest way from `start` back to itself.
fn shortest<'a>(graph: &'a Graph, start: &'a str) -> Option<Vec<&'a str>> {
    let mut seen = BTreeSet::new();
    let mut open = VecDeque::from([vec![start]]);
    while let Some(way) = open.pop_front() {
        for used in graph.get(way[way.len() - 1]).into_iter().flatten() {
            if used.as_str() == start {
                return Some(way);
            }
            if seen.insert(used) {
                open.push_back([&way[..], &[used]].concat());
            }
        }
    }
    None
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
        check(&[scripts[0], scripts[1], ("www/d.tsx", "import \"./a\";")], "scripts: a circle of imports: www/a -> www/d -> www/a;");
    }
}
