//! No circle of imports: where `a` uses `b`, directly or through others, `b` does not use `a`.
//!
//! A module and the modules inside it count as one, so that splitting a module needs no new rule.

use std::collections::{BTreeMap, BTreeSet};

use super::modules::{Module, modules};
use super::source::Source;
use super::typescript;

type Graph<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// Checks every crate and the scripts of the pages.
pub(crate) fn check(sources: &[Source]) -> Vec<String> {
    let roots = sources.iter().filter_map(|source| {
        ["/src/lib.rs", "/src/main.rs"].iter().find_map(|root| source.path.strip_suffix(root))
    });
    let crates: BTreeSet<&str> = roots.collect();
    let of_crates = crates.into_iter().flat_map(|name| of_crate(name, &modules(name, sources)));
    of_crates.chain(circles("scripts", &typescript::graph(sources))).collect()
}

fn of_crate(name: &str, modules: &[Module]) -> Vec<String> {
    let mut graph = Graph::new();
    for module in modules {
        let used = module
            .uses
            .iter()
            .filter(|used| !is_inside(used, &module.name) && !is_inside(&module.name, used));
        graph.insert(&module.name, used.map(String::as_str).collect());
    }
    circles(&format!("{name}/src"), &graph)
}

fn circles(place: &str, graph: &Graph<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for start in graph.keys() {
        let Some(circle) = shortest_circle(graph, start) else { continue };
        let members: BTreeSet<&str> = circle.iter().copied().collect();
        if seen.insert(members) {
            found.push(format!(
                "{place}: a circle of imports: {} -> {start}; move what they share into a module that uses neither",
                circle.join(" -> ")
            ));
        }
    }
    found
}

/// True if `inner` is inside `outer`, as `a::b` is inside `a`.
fn is_inside(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with("::"))
}

/// The modules on the shortest path from `start` back to itself.
fn shortest_circle<'a>(graph: &Graph<'a>, start: &'a str) -> Option<Vec<&'a str>> {
    let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut next = vec![start];
    while !next.is_empty() {
        let mut after = Vec::new();
        for module in next {
            for used in graph.get(module).into_iter().flatten() {
                if *used == start {
                    let mut way = vec![module];
                    while let Some(before) = came_from.get(way[way.len() - 1]) {
                        way.push(before);
                    }
                    way.reverse();
                    return Some(way);
                }
                if !came_from.contains_key(used) {
                    came_from.insert(used, module);
                    after.push(*used);
                }
            }
        }
        next = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Source, check};

    #[track_caller]
    fn expect(files: &[(&str, &str)], expected: &[&str]) {
        let files = files.iter().chain(&[("lib.rs", "")]);
        let sources: Vec<Source> =
            files.map(|(path, text)| Source::new(&format!("gateway/src/{path}"), text)).collect();
        assert_eq!(check(&sources), expected);
    }

    #[test]
    fn circles() {
        let advice = "move what they share into a module that uses neither";
        expect(&[("a.rs", "use crate::b::B;"), ("b.rs", "use crate::c::{C, D};"), ("c.rs", "")], &[]);
        expect(
            &[
                ("a.rs", "use crate::b::B;"),
                ("b.rs", "use crate::c::C;"),
                ("c.rs", "fn f() { crate::a::g() }"),
            ],
            &[&format!("gateway/src: a circle of imports: a -> b -> c -> a; {advice}")],
        );
        expect(&[("a.rs", "use self::b::B;"), ("a/b.rs", "use super::A;")], &[]);
        expect(
            &[("a.rs", ""), ("a/b.rs", "use super::c::C;"), ("a/c.rs", "use crate::a::b::{self, B};")],
            &[&format!("gateway/src: a circle of imports: a::b -> a::c -> a::b; {advice}")],
        );
    }
}
