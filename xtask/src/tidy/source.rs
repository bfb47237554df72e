//! The files that the rules check.

use std::fs;
use std::path::Path;

use crate::Outcome;

pub(crate) struct Source {
    /// The path from the root of the repository, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
    /// The text of a Rust file with comments and quoted text replaced by spaces; line numbers stay the same.
    pub(crate) code: String,
}

const FOLDERS: &[&str] = &[
    "chains", "checkout", "core", "examples", "gateway", "npm", "sandbox", "tests", "widget", "www", "xtask",
];
const ENDINGS: &[&str] = &["rs", "js", "ts", "tsx", "css", "html"];

impl Source {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let rust = matches!(path.rsplit_once('.'), Some((_, "rs")));
        let code = if rust { code_only(text) } else { String::new() };
        Self { path: path.to_owned(), text: text.to_owned(), code }
    }

    /// The lines of the code with their numbers, from 1.
    pub(crate) fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.code.lines().enumerate().map(|(index, line)| (index + 1, line))
    }
}

pub(crate) fn all(root: &Path) -> Outcome<Vec<Source>> {
    let mut sources = Vec::new();
    for folder in FOLDERS {
        read(root, folder, &mut sources)?;
    }
    Ok(sources)
}

fn read(root: &Path, folder: &str, sources: &mut Vec<Source>) -> Outcome<()> {
    let fault = |error: std::io::Error| format!("{folder}: {error}.");
    for entry in fs::read_dir(root.join(folder)).map_err(fault)? {
        let entry = entry.map_err(fault)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{folder}/{name}");
        if entry.file_type().map_err(fault)?.is_dir() {
            if !matches!(name.as_str(), "target" | "node_modules" | "pkg") {
                read(root, &path, sources)?;
            }
        } else if name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending)) {
            let text = fs::read_to_string(entry.path()).map_err(|error| format!("{path}: {error}."))?;
            sources.push(Source::new(&path, &text));
        }
    }
    Ok(())
}

/// True if `code` contains `word` with no letter, digit or `_` next to it.
pub(crate) fn has_word(code: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(start, _)| {
        let (before, after) = (&code[..start], &code[start + word.len()..]);
        !before.chars().next_back().is_some_and(inside) && !after.chars().next().is_some_and(inside)
    })
}

fn code_only(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => block_comment(rest),
            '"' => quoted(rest),
            'r' if !code.ends_with(|c: char| c.is_alphanumeric() || c == '_') => raw_string(rest),
            '\'' => character(rest),
            _ => 0,
        };
        if skipped == 0 {
            code.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        code.extend(rest[..skipped].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = &rest[skipped..];
    }
    code
}

fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        let here = &text.as_bytes()[at..];
        if here.starts_with(b"/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if here.starts_with(b"*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    text.len()
}

fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return index + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of `r"…"` or `r#"…"#`; 0 for an identifier that starts with r.
fn raw_string(text: &str) -> usize {
    let hashes = text[1..].bytes().take_while(|byte| *byte == b'#').count();
    if !text[1 + hashes..].starts_with('"') {
        return 0;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let body = 2 + hashes;
    text[body..].find(&end).map_or(text.len(), |index| body + index + end.len())
}

/// The length of `'x'` or `'\n'`; 0 for a lifetime.
fn character(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    match characters.next() {
        Some((_, '\\')) => {
            characters.next();
            characters.find(|(_, c)| *c == '\'').map_or(0, |(index, _)| index + 1)
        }
        Some(_) => characters.next().filter(|(_, c)| *c == '\'').map_or(0, |(index, _)| index + 1),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{code_only, has_word};

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let code = code_only(text);
        assert_eq!(code.split_whitespace().collect::<Vec<_>>().join(" "), expected);
        assert_eq!(code.lines().count(), text.lines().count(), "line numbers are kept");
    }

    #[test]
    fn only_code_remains() {
        check("use a; // sqlx\n/* sqlx /* in */ sqlx */ use b;\n", "use a; use b;");
        check("f(\"sqlx \\\" sqlx\", 'a', '\\'', '\"', x)", "f( , , , , x)");
        check(
            "let a = r#\"sqlx \" sqlx\"#; let b = r\"c\"; let raw = rr;",
            "let a = ; let b = ; let raw = rr;",
        );
        check("fn f<'a>(x: &'a str) -> &'static str { \"}\" }", "fn f<'a>(x: &'a str) -> &'static str { }");
        check("b\"bytes\" b'x' c", "b b c");
        check("\"line one\nline two\" end", "end");
    }

    #[test]
    fn words_have_edges() {
        for (code, word, expected) in [
            ("use sqlx::Pool;", "sqlx", true),
            ("sqlx", "sqlx", true),
            ("use my_sqlx::Pool;", "sqlx", false),
            ("sqlx2::a", "sqlx", false),
        ] {
            assert_eq!(has_word(code, word), expected, "{code}");
        }
    }
}
