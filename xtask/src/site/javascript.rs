//! The page's one script: wasm-bindgen's glue followed by our bootstrap, so that it is one request.

use crate::Outcome;

/// The module in which the bootstrap's `import init from "{{glue}}"` is the glue above it.
pub(crate) fn bundle(glue: &str, bootstrap: &str, wasm_name: &str) -> Outcome<String> {
    let glue = point_to_wasm(glue, wasm_name)?;
    let body = import_from_above(bootstrap)?;
    let start = if body.trim().is_empty() { String::new() } else { format!("{{\n{body}}}\n") };
    Ok(without_comments(&format!("{glue}\n{start}")))
}

/// The default address in the glue, which a caller of `init()` without argument gets.
fn point_to_wasm(glue: &str, wasm_name: &str) -> Outcome<String> {
    let known =
        ["new URL('checkout_bg.wasm', import.meta.url)", "new URL(\"checkout_bg.wasm\", import.meta.url)"];
    match known.iter().find(|text| glue.contains(**text)) {
        Some(text) => Ok(glue.replace(text, &format!("new URL('{wasm_name}', import.meta.url)"))),
        None => {
            Err("wasm-bindgen's glue refers to its module in a new way; adapt xtask/src/site/javascript.rs."
                .to_owned())
        }
    }
}

/// Turns `import <init>[, { <names> }] from "{{glue}}"` into constants; a block around keeps the names apart.
fn import_from_above(bootstrap: &str) -> Outcome<String> {
    let mut body = String::with_capacity(bootstrap.len());
    for line in bootstrap.lines() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("import ") || trimmed.starts_with("import{") || trimmed.starts_with("export ")
        {
            let imported = imported_from_glue(trimmed).ok_or_else(|| {
                format!(
                    "www/checkout.js: `{trimmed}` cannot be built in; it may only have \
                     `import init from \"{{{{glue}}}}\"` on one line, and no export."
                )
            })?;
            body.push_str(&imported);
        } else {
            body.push_str(line);
        }
        body.push('\n');
    }
    Ok(body)
}

fn imported_from_glue(statement: &str) -> Option<String> {
    let clause = statement.strip_prefix("import")?.trim_end().trim_end_matches(';');
    let clause = ["\"{{glue}}\"", "'{{glue}}'"].iter().find_map(|from| clause.strip_suffix(from))?;
    let name = clause.trim().strip_suffix("from")?.trim();
    is_identifier(name).then(|| format!("const {name} = __wbg_init;"))
}

pub(crate) fn is_identifier(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

/// Without comments, needless blanks and empty lines. Lines stay lines, so no semicolon is missed; where
/// a slash could be read in two ways the whole text stays as it is.
pub(crate) fn without_comments(source: &str) -> String {
    strip(source).unwrap_or_else(|| source.to_owned())
}

fn strip(source: &str) -> Option<String> {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    // Open `${` of template literals: how many `{` are open inside each.
    let mut templates: Vec<usize> = Vec::new();
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '/' if rest.starts_with("//") => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            '/' if rest.starts_with("/*") => {
                let end = rest.find("*/")? + 2;
                if rest[..end].contains('\n') {
                    end_line(&mut out);
                } else if blank_matters(&out, &rest[end..]) {
                    out.push(' ');
                }
                rest = &rest[end..];
                continue;
            }
            '/' => match slash(&out)? {
                Slash::Division => 1,
                Slash::Expression => expression(rest)?,
            },
            '"' | '\'' => quoted(rest, c)?,
            '`' => template(&rest[1..], &mut templates)? + 1,
            '{' => {
                if let Some(open) = templates.last_mut() {
                    *open += 1;
                }
                1
            }
            '}' => match templates.last_mut() {
                Some(0) => {
                    templates.pop();
                    template(&rest[1..], &mut templates)? + 1
                }
                Some(open) => {
                    *open -= 1;
                    1
                }
                None => 1,
            },
            '\n' => {
                end_line(&mut out);
                rest = rest.trim_start_matches([' ', '\t', '\r', '\n']);
                continue;
            }
            ' ' | '\t' | '\r' => {
                rest = rest.trim_start_matches([' ', '\t', '\r']);
                if blank_matters(&out, rest) {
                    out.push(' ');
                }
                continue;
            }
            _ => c.len_utf8(),
        };
        out.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    templates.is_empty().then_some(out)
}

/// Between two words, and where two signs would become another one (`a + +b`, `a < !--b`).
fn blank_matters(before: &str, after: &str) -> bool {
    let (Some(left), Some(right)) = (before.chars().next_back(), after.chars().next()) else { return false };
    let apart = |c: char| "{}()[],;:=?&|*>".contains(c);
    !(left == '\n' || right == '\n' || apart(left) || apart(right))
}

fn end_line(out: &mut String) {
    out.truncate(out.trim_end_matches([' ', '\t', '\r']).len());
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

enum Slash {
    Division,
    Expression,
}

/// What a slash after `before` means; `None` when that takes a parser to tell.
fn slash(before: &str) -> Option<Slash> {
    let before = before.trim_end();
    let Some(last) = before.chars().next_back() else { return Some(Slash::Expression) };
    if "(,=:[!&|?;{+-*%<>~^".contains(last) {
        return (!before.ends_with("++") && !before.ends_with("--")).then_some(Slash::Expression);
    }
    if last == ']' {
        return Some(Slash::Division);
    }
    if !(last.is_ascii_alphanumeric() || last == '_' || last == '$') {
        return None;
    }
    let word_start = before
        .rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$'))
        .map_or(0, |index| index + 1);
    let keywords =
        ["return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "await"];
    Some(if keywords.contains(&&before[word_start..]) { Slash::Expression } else { Slash::Division })
}

/// Length of the regular expression that `text` starts with.
fn expression(text: &str) -> Option<usize> {
    let (mut escaped, mut class) = (false, false);
    for (index, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => class = true,
            ']' => class = false,
            '/' if !class => return Some(index + 1),
            _ => {}
        }
    }
    None
}

fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (index, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return None,
            _ if c == quote => return Some(index + 1),
            _ => {}
        }
    }
    None
}

/// Length of a template literal's text up to its end or to the next `${`, that included.
fn template(text: &str, templates: &mut Vec<usize>) -> Option<usize> {
    let mut escaped = false;
    for (index, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '`' => return Some(index + 1),
            '$' if text[index + 1..].starts_with('{') => {
                templates.push(0);
                return Some(index + 2);
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{bundle, strip, without_comments};

    const GLUE: &str = "async function __wbg_init(path) {\n    path ??= new URL('checkout_bg.wasm', import.meta.url);\n}\n\
                        export { initSync, __wbg_init as default };\n";

    #[test]
    fn the_bootstrap_calls_the_glue_above_it() {
        let bootstrap =
            "import init from \"{{glue}}\";\n// start\nawait init({ module_or_path: \"/assets/x.wasm\" });\n";
        let module = bundle(GLUE, bootstrap, "checkout-0123.wasm").expect("well formed");
        assert_eq!(
            module,
            "async function __wbg_init(path){\npath??=new URL('checkout-0123.wasm',import.meta.url);\n}\n\
             export{initSync,__wbg_init as default};\n\
             {\nconst init=__wbg_init;\nawait init({module_or_path:\"/assets/x.wasm\"});\n}\n"
        );
    }

    #[test]
    fn a_bootstrap_that_would_cost_a_request_is_refused() {
        for bootstrap in ["import x from './x.js';", "import { a } from \"{{glue}}\";", "export const a = 1;"]
        {
            let sentence = bundle(GLUE, bootstrap, "a.wasm").expect_err(bootstrap);
            assert!(sentence.contains(bootstrap), "{sentence}");
        }
        assert!(bundle("no reference here", "", "a.wasm").is_err());
    }

    #[track_caller]
    fn check(source: &str, expected: &str) {
        assert_eq!(strip(source).as_deref(), Some(expected));
        assert_eq!(strip(expected).as_deref(), Some(expected), "a second time changes nothing");
    }

    #[test]
    fn drops_comments_and_keeps_everything_that_only_looks_like_one() {
        check("/** docs */\nlet a = 1; // one\n\n   let b = 2;\n", "let a=1;\nlet b=2;\n");
        check("const u = \"https://x\"; const v = 'a // b';\n", "const u=\"https://x\";const v='a // b';\n");
        check("f(/[/*]  /g, a / b / c, x[0] / 2)\n", "f(/[/*]  /g,a / b / c,x[0]/ 2)\n");
        check("return /\\/\\//.test(a)\n", "return /\\/\\//.test(a)\n");
        check(
            "const t = `  // ${ { a: `/*${1}*/` } }\n   kept  `;\n  x()\n",
            "const t=`  // ${{a:`/*${1}*/`}}\n   kept  `;\nx()\n",
        );
        check("return /*\n*/ 1\n", "return\n1\n");
        check("a/* x */b\n", "a b\n");
        check("const s = 'it\\'s // not';\n", "const s='it\\'s // not';\n");
    }

    #[test]
    fn blanks_stay_where_signs_would_become_others() {
        for text in ["a + +b", "a - -b", "a < !--b", "1 .x", "typeof a in b"] {
            check(text, text);
        }
        check("if (a) { return -b ; } else { c ? .5 : d }", "if(a){return -b;}else{c?.5:d}");
    }

    #[test]
    fn our_own_script_leaves_no_doubt() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../www/checkout.js");
        let source = std::fs::read_to_string(path).expect(path);
        let small = strip(&source).expect(path);
        assert!(small.len() < source.len() && !small.contains("\n\n"), "{small}");
    }

    #[test]
    fn stays_whole_where_a_slash_is_in_doubt() {
        for source in ["if (a) /x\"/.test(b) // c\n", "(a) / 2 // c\n", "`open // c\n", "x = 'open\n// c'\n"]
        {
            assert_eq!(strip(source), None, "{source}");
            assert_eq!(without_comments(source), source);
        }
    }
}
