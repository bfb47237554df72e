//! A Rust file as its tokens: no comments, no content of literals. Unit tests are left out of what describes the product.

use std::collections::BTreeSet;

use proc_macro2::{Spacing, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Attribute, Item, Meta};

#[derive(Default)]
pub(crate) struct Code {
    /// Each line that has tokens, with its number, from 1. The tokens are separated by spaces; `::` is one.
    pub(crate) lines: Vec<(usize, String)>,
    /// The tokens without unit tests.
    pub(crate) shipped: Vec<String>,
    /// The types that it defines, without unit tests.
    pub(crate) types: BTreeSet<String>,
}

/// A file that does not parse has no code: the compiler reports it.
pub(crate) fn read(text: &str) -> Code {
    let Ok(file) = syn::parse_file(text) else { return Code::default() };
    let mut code = Code::default();
    let mut lines: Vec<(usize, Vec<String>)> = Vec::new();
    walk(file.to_token_stream(), &mut |line, token| match lines.last_mut() {
        Some((last, tokens)) if *last == line => tokens.push(token),
        _ => lines.push((line, vec![token])),
    });
    code.lines = lines.into_iter().map(|(line, tokens)| (line, tokens.join(" "))).collect();
    for item in file.items.iter().filter(|item| !is_test(item)) {
        walk(item.to_token_stream(), &mut |_, token| code.shipped.push(token));
    }
    code.types = types(&file.items);
    code
}

/// Passes on the tokens with their lines.
fn walk(stream: TokenStream, each: &mut impl FnMut(usize, String)) {
    let mut tokens = stream.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let line = token.span().start().line;
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    proc_macro2::Delimiter::Parenthesis => ("(", ")"),
                    proc_macro2::Delimiter::Brace => ("{", "}"),
                    proc_macro2::Delimiter::Bracket => ("[", "]"),
                    proc_macro2::Delimiter::None => ("", ""),
                };
                each(line, open.to_owned());
                walk(group.stream(), each);
                each(group.span_close().start().line, close.to_owned());
            }
            TokenTree::Punct(colon) if colon.as_char() == ':' && colon.spacing() == Spacing::Joint => {
                tokens.next();
                each(line, "::".to_owned());
            }
            // Doc comments are attributes with a literal.
            TokenTree::Literal(_) => each(line, "_".to_owned()),
            other => each(line, other.to_string()),
        }
    }
}

fn is_test(item: &Item) -> bool {
    let Item::Mod(module) = item else { return false };
    module.attrs.iter().any(is_cfg_test)
}

fn is_cfg_test(attribute: &Attribute) -> bool {
    matches!(&attribute.meta, Meta::List(list) if list.path.is_ident("cfg") && list.tokens.to_string() == "test")
}

/// The names of types, also in modules of the file.
fn types(items: &[Item]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for item in items.iter().filter(|item| !is_test(item)) {
        let name = match item {
            Item::Struct(item) => &item.ident,
            Item::Enum(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::Type(item) => &item.ident,
            Item::Mod(module) => {
                found.extend(module.content.iter().flat_map(|(_, items)| types(items)));
                continue;
            }
            _ => continue,
        };
        found.insert(name.to_string());
    }
    found
}

/// The paths that begin with `crate`, `self` or `super`; a group in braces is several paths.
pub(crate) fn paths(tokens: &[String]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let is_start = matches!(token.as_str(), "crate" | "self" | "super");
        let follows = at > 0 && tokens[at - 1] == "::";
        if is_start && !follows && tokens.get(at + 1).is_some_and(|next| next == "::") {
            expand(&tokens[at..], &mut Vec::new(), &mut found);
        }
    }
    found
}

/// Reads one path, or one entry of a group; returns how many tokens it has.
fn expand(tokens: &[String], begin: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> usize {
    let (depth, mut at) = (begin.len(), 0);
    while let Some(word) = tokens.get(at).filter(|word| is_name(word)) {
        begin.push(word.clone());
        at += 1;
        if tokens.get(at).is_none_or(|next| next != "::") {
            break;
        }
        at += 1;
        if tokens.get(at).is_some_and(|next| next == "{") {
            at += 1;
            while let Some(next) = tokens.get(at).filter(|next| *next != "}") {
                let read = if is_name(next) { expand(&tokens[at..], begin, found) } else { 0 };
                at += read.max(1);
            }
            begin.truncate(depth);
            return at + 1;
        }
    }
    if begin.len() > depth {
        found.push(begin.clone());
    }
    begin.truncate(depth);
    at
}

fn is_name(token: &str) -> bool {
    token.starts_with(|sign: char| sign.is_alphabetic() || sign == '_')
}

#[cfg(test)]
mod tests {
    use super::{paths, read};

    #[test]
    fn only_code_remains() {
        let check = |text: &str, expected: &[(usize, &str)]| {
            let lines = read(text).lines;
            let lines: Vec<(usize, &str)> = lines.iter().map(|(line, code)| (*line, code.as_str())).collect();
            assert_eq!(lines, expected, "{text}");
        };
        check("use a::B; // sqlx\n/* sqlx /* in */ sqlx */ use b;\n", &[(1, "use a :: B ;"), (2, "use b ;")]);
        check(
            "const A: &str = \"sqlx\\\"\nsqlx\";\nstatic B: u8 = b'x';",
            &[(1, "const A : & str = _"), (2, ";"), (3, "static B : u8 = _ ;")],
        );
        check("#[ignore]\nfn a() { todo!() }", &[(1, "# [ ignore ]"), (2, "fn a ( ) { todo ! ( ) }")]);
        check("not Rust", &[]);
    }

    #[test]
    fn unit_tests_are_no_product() {
        let code = read(
            "struct A; enum B {}\nmod inner { trait C { type E; } type D = A; }\n#[cfg(test)]\nmod tests { use crate::c; struct F; }",
        );
        assert_eq!(code.types.iter().collect::<Vec<_>>(), ["A", "B", "C", "D"]);
        assert!(paths(&code.shipped).is_empty());
    }

    #[test]
    fn groups_are_several_paths() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<String> = paths(&read(text).shipped).iter().map(|path| path.join("::")).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("use crate::a::B;", &["crate::a::B"]);
        check(
            "use crate::a::{self, b::{C, D}, E};",
            &["crate::a::self", "crate::a::b::C", "crate::a::b::D", "crate::a::E"],
        );
        check("fn f() -> crate::a::B { super::c() }", &["crate::a::B", "super::c"]);
        check("use crate::{\n    a::B,\n    c,\n};", &["crate::a::B", "crate::c"]);
        check("fn f() { format!(\"{}\", crate::a::B) }", &["crate::a::B"]);
        check("use other_crate::a; fn g(&self) { self.a }", &[]);
    }
}
