//! Smaller style sheets: without comments and needless blanks. Nothing is rewritten.

pub(crate) fn minify(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    let mut blank = false;
    while let Some(c) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
            blank = true;
            continue;
        }
        if c.is_ascii_whitespace() {
            rest = &rest[1..];
            blank = true;
            continue;
        }
        let token = if c == '"' || c == '\'' { string(rest) } else { c.len_utf8() };
        if blank && needs_blank(&out, c) {
            out.push(' ');
        }
        blank = false;
        if c == '}' && out.ends_with(';') {
            out.pop();
        }
        out.push_str(&rest[..token]);
        rest = &rest[token..];
    }
    out
}

/// Blanks have no meaning beside these; before a colon they have (`a :hover`), after it they have not.
fn needs_blank(before: &str, next: char) -> bool {
    match before.chars().next_back() {
        None | Some('{' | '}' | ';' | ',' | ':') => false,
        Some(_) => !matches!(next, '{' | '}' | ';' | ','),
    }
}

/// Length of the string that `text` starts with, its quotes included.
fn string(text: &str) -> usize {
    let quote = text.as_bytes()[0];
    let mut escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            _ if byte == quote => return index + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::minify;

    #[track_caller]
    fn check(source: &str, expected: &str) {
        assert_eq!(minify(source), expected);
        assert_eq!(minify(expected), expected, "a second time changes nothing");
    }

    #[test]
    fn drops_comments_and_needless_blanks_only() {
        check("/* one */\n\n", "");
        check("a {\n  color: red;\n  margin: 0 auto;\n}\n", "a{color:red;margin:0 auto}");
        check("a, b > c :hover { x: calc(1px + 2px) }", "a,b > c :hover{x:calc(1px + 2px)}");
        check("a:hover{}", "a:hover{}");
        check("a/* x */b{}", "a b{}");
        check("@media (min-width: 40em) and (hover) {a{b:c}}", "@media (min-width:40em) and (hover){a{b:c}}");
        check("a::before { content: \"/* { ; */ \\\" x\"; }", "a::before{content:\"/* { ; */ \\\" x\"}");
        check("a { content: '  ' ; }", "a{content:'  '}");
        check(":root { --a: ; --b:  1px  2px }", ":root{--a:;--b:1px 2px}");
        check(
            "a{b:url(\"data:image/svg+xml;utf8, <svg />\")}",
            "a{b:url(\"data:image/svg+xml;utf8, <svg />\")}",
        );
        check("a { content: '→ é' }", "a{content:'→ é'}");
        check("a { color: red; /* unclosed", "a{color:red;");
    }
}
