//! No circle of imports: where `a` uses `b`, directly or through others, `b` does not use `a`.
//!
//! A module and the modules inside it count as one, so that splitting a module needs no new rule.

use std::collections::BTreeSet;

use super::modules::{Graph, of_crate, of_scripts};
use super::source::Source;

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
