//! A Rust file as its tokens: no comments, no content of literals. Tests are left out of what describes the product.

use std::collections::BTreeSet;
use std::mem;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

#[derive(Default)]
pub(super) struct Code {
    /// Each line that has tokens, with its number, from 1. The tokens are separated by spaces; `::` is one.
    pub(super) lines: Vec<(usize, String)>,
    /// The types that it defines, also in modules of the file, without tests.
    pub(super) types: BTreeSet<String>,
    /// The paths that begin with `crate`, `self` or `super`, without those of tests; a group in braces is several paths.
    pub(super) paths: Vec<Vec<String>>,
}

/// A file that does not parse has no code: the compiler reports it.
pub(super) fn read(text: &str) -> Code {
    let mut tokens = Vec::new();
    walk(text.parse().unwrap_or_default(), &mut tokens);
    let lines = tokens.chunk_by(|one, other| one.0 == other.0).map(|line| {
        let words: Vec<&str> = line.iter().map(|(_, token)| token.as_str()).collect();
        (line[0].0, words.join(" "))
    });
    let lines = lines.collect();
    let shipped = without_tests(tokens.into_iter().map(|(_, token)| token).collect());
    Code { lines, types: types(&shipped), paths: paths(&shipped) }
}

/// The tokens with their lines.
fn walk(stream: TokenStream, found: &mut Vec<(usize, String)>) {
    let mut tokens = stream.into_iter();
    while let Some(token) = tokens.next() {
        let line = token.span().start().line;
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket | Delimiter::None => ("[", "]"),
                };
                found.push((line, open.to_owned()));
                walk(group.stream(), found);
                found.push((group.span_close().start().line, close.to_owned()));
            }
            TokenTree::Punct(colon) if colon.as_char() == ':' && colon.spacing() == Spacing::Joint => {
                tokens.next();
                found.push((line, "::".to_owned()));
            }
            // Doc comments are attributes with a literal.
            TokenTree::Literal(_) => found.push((line, "_".to_owned())),
            other => found.push((line, other.to_string())),
        }
    }
}

/// Leaves out what follows each `#[cfg(test)]`, up to its closing brace or semicolon.
fn without_tests(mut tokens: Vec<String>) -> Vec<String> {
    const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    while let Some(start) = tokens.windows(TEST.len()).position(|window| window == TEST) {
        let mut depth = 0;
        let end = tokens[start..].iter().position(|token| {
            depth += i32::from(token == "{") - i32::from(token == "}");
            depth <= 0 && matches!(token.as_str(), ";" | "}")
        });
        tokens.drain(start..end.map_or(tokens.len(), |end| start + end + 1));
    }
    tokens
}

fn types(tokens: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    // Whether each open brace is that of a module: a type inside another item is none of the file's.
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" => open.push(at > 1 && tokens[at - 2] == "mod"),
            "}" => drop(open.pop()),
            "struct" | "enum" | "trait" | "type" if open.iter().all(|is_module| *is_module) => {
                found.extend(tokens.get(at + 1).cloned());
            }
            _ => {}
        }
    }
    found
}

fn paths(tokens: &[String]) -> Vec<Vec<String>> {
    // The beginnings of the groups that are open, and the path that is read.
    let (mut found, mut open, mut path) = (Vec::new(), Vec::<Vec<String>>::new(), Vec::<String>::new());
    for (at, token) in tokens.iter().enumerate() {
        let follows = !path.is_empty() && tokens[at - 1] == "::";
        match token.as_str() {
            "::" => {}
            "{" if follows => open.push(mem::take(&mut path)),
            name if follows && is_name(name) => path.push(token.clone()),
            other => {
                found.push(mem::take(&mut path));
                if other == "}" {
                    open.pop();
                } else if is_name(other) && !open.is_empty() || ["crate", "self", "super"].contains(&other) {
                    path = open.last().cloned().unwrap_or_default();
                    path.push(token.clone());
                }
            }
        }
    }
    found.retain(|path| path.len() > 1);
    found
}

fn is_name(token: &str) -> bool {
    token.starts_with(|sign: char| sign.is_alphabetic() || sign == '_')
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    #[rustfmt::skip]
    fn only_code_remains() {
        let check = |text: &str, expected: &[(usize, &str)]| {
            let lines = read(text).lines;
            let lines: Vec<(usize, &str)> = lines.iter().map(|(line, code)| (*line, code.as_str())).collect();
            assert_eq!(lines, expected, "{text}");
        };
        check("use a::B; // sqlx\n/* sqlx /* in */ sqlx */ use b;\n", &[(1, "use a :: B ;"), (2, "use b ;")]);
        check("const A: &str = \"sqlx\\\"\nsqlx\";\nstatic B: u8 = b'x';", &[(1, "const A : & str = _"), (2, ";"), (3, "static B : u8 = _ ;")]);
        check("#[ignore]\nfn a() { todo!() }", &[(1, "# [ ignore ]"), (2, "fn a ( ) { todo ! ( ) }")]);
        check("\"not Rust", &[]);
    }

    #[test]
    fn unit_tests_are_no_product() {
        let code = read(
            "struct A; enum B {}\n#[cfg(test)] mod fixture;\nmod inner { trait C { type E; } type D = A; }\n#[cfg(test)]\nmod tests { use crate::c; struct F; }",
        );
        assert_eq!(code.types.iter().collect::<Vec<_>>(), ["A", "B", "C", "D"]);
        assert!(code.paths.is_empty());
    }

    #[test]
    #[rustfmt::skip]
    fn groups_are_several_paths() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<String> = read(text).paths.iter().map(|path| path.join("::")).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("use crate::a::B;", &["crate::a::B"]);
        check("use crate::a::{self, b::{C, D}, E};", &["crate::a::self", "crate::a::b::C", "crate::a::b::D", "crate::a::E"]);
        check("fn f() -> crate::a::B { super::c() }", &["crate::a::B", "super::c"]);
        check("use crate::{\n    a::B,\n    c,\n};", &["crate::a::B", "crate::c"]);
        check("fn f() { format!(\"{}\", crate::a::B) }", &["crate::a::B"]);
        check("use other_crate::a; fn g(&self) { self.a }", &[]);
    }
}
