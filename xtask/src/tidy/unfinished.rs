//! Rejects disabled tests and open to-dos.

use super::source::Source;

const MARKS: &[(&str, &str)] = &[
    ("# [ ignore", "a disabled test proves nothing; fix it or remove it"),
    ("todo !", "unfinished"),
    ("unimplemented !", "unfinished"),
];

pub(crate) fn check(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in &source.code.lines {
        for (mark, reason) in MARKS.iter().filter(|(mark, _)| line.contains(mark)) {
            found.push(format!("{}:{number}: `{mark}`: {reason}", source.path));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Source, check};

    #[test]
    fn markers_are_found_in_code_only() {
        let check = |text: &str, count: usize| {
            assert_eq!(check(&Source::new("core/src/a.rs", text)).len(), count, "{text}");
        };
        check("#[test]\n#[ignore]\nfn a() {}", 1);
        check("#[ignore = \"slow\"]\nfn a() {}", 1);
        check("fn a() { todo!() }", 1);
        check("fn a() { unimplemented!(\"x\") }", 1);
        check("// todo!\nconst A: &str = \"#[ignore]\";", 0);
    }
}
