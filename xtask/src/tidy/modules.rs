//! The modules of a crate and what they import, read from the text of its files.

use std::collections::BTreeSet;

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
        uses: uses(name, &source.code, &known),
    };
    named.iter().map(module).collect()
}

fn module_name(path: &str) -> Option<String> {
    let path = path.strip_suffix(".rs")?;
    let parts: Vec<&str> = path.split('/').collect();
    let is_root = matches!(path, "lib" | "main");
    (!is_root && !parts.contains(&"tests") && !parts.contains(&"fixture")).then(|| parts.join("::"))
}

fn uses(module: &str, code: &str, names: &BTreeSet<&str>) -> BTreeSet<String> {
    // Unit tests are the last thing in a file.
    let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut found = BTreeSet::new();
    for path in paths(code) {
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
    let mut base: Vec<String> = module.split("::").map(str::to_owned).collect();
    let mut rest = path;
    match path[0].as_str() {
        "crate" => base.clear(),
        "self" => {}
        _ => {
            while rest.first().is_some_and(|segment| segment == "super") {
                base.pop();
                rest = &rest[1..];
            }
            base.extend(rest.iter().cloned());
            return base;
        }
    }
    base.extend(rest[1..].iter().cloned());
    base
}

/// All paths that begin with `crate`, `self` or `super`; a group in braces is several paths.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for word in ["crate::", "self::", "super::"] {
        for (at, _) in code.match_indices(word) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|sign| sign.is_alphanumeric() || sign == '_' || sign == ':') {
                continue;
            }
            expand(&code[at..], &mut Vec::new(), &mut found);
        }
    }
    found
}

/// Reads one path, or one entry of a group; returns its length in bytes.
fn expand(text: &str, begin: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> usize {
    let (depth, mut at) = (begin.len(), 0);
    loop {
        let rest = &text[at..];
        let word: String = rest.chars().take_while(|sign| sign.is_alphanumeric() || *sign == '_').collect();
        if word.is_empty() {
            break;
        }
        at += word.len();
        begin.push(word);
        let Some(rest) = text[at..].strip_prefix("::") else { break };
        at += 2;
        if rest.starts_with('{') {
            at += 1;
            loop {
                at += text[at..].len() - text[at..].trim_start_matches([' ', '\n', ',']).len();
                if text[at..].is_empty() || text[at..].starts_with('}') {
                    break;
                }
                let read = expand(&text[at..], begin, found);
                let skipped = text[at + read..].find([',', '}']).unwrap_or(text.len() - at - read);
                at += read + skipped;
            }
            begin.truncate(depth);
            return (at + 1).min(text.len());
        }
    }
    if begin.len() > depth {
        found.push(begin.clone());
    }
    begin.truncate(depth);
    at
}

#[cfg(test)]
mod tests {
    use super::paths;

    #[test]
    fn groups_are_several_paths() {
        let check = |code: &str, expected: &[&str]| {
            let found: Vec<String> = paths(code).iter().map(|path| path.join("::")).collect();
            assert_eq!(found, expected, "{code}");
        };
        check("use crate::a::B;", &["crate::a::B"]);
        check(
            "use crate::a::{self, b::{C, D}, E};",
            &["crate::a::self", "crate::a::b::C", "crate::a::b::D", "crate::a::E"],
        );
        check("fn f() -> crate::a::B { super::c() }", &["crate::a::B", "super::c"]);
        check("use crate::{\n    a::B,\n    c,\n};", &["crate::a::B", "crate::c"]);
        check("use other_crate::a;", &[]);
    }
}
