//! What wasm-bindgen writes for any caller, cut down to our only one: the page.
//!
//! Classes that crates export for JavaScript go, with the code behind them (wasm-opt removes what is
//! no longer reachable); and names that only glue and module say to each other become short. Such a
//! name holds a hash, which no compression makes smaller, and stands in both files.

use super::javascript::is_identifier;
use super::{Widget, module};
use crate::Outcome;

const FOREIGN: &str = "wasm-bindgen's glue is not as xtask/src/site/link.rs expects it";

/// The glue without exported classes, and without what makes it a module for others.
pub(crate) fn without_exports(glue: &str) -> String {
    let mut kept = String::with_capacity(glue.len());
    let mut classes = Vec::new();
    let mut until: Option<&str> = None;
    for line in glue.lines() {
        if let Some(end) = until {
            if line.ends_with(end) && (end == ";" || line == end) {
                until = None;
            }
        } else if let Some(class) = line.strip_prefix("export class ") {
            classes.push(class.trim_end_matches(['{', ' ']));
            until = Some("}");
        } else if line.starts_with("const ") && line.contains("Finalization = ") {
            until = (!line.ends_with(';')).then_some(";");
        } else if line.starts_with("function initSync(") {
            until = Some("}");
        } else if !line.starts_with("if (Symbol.dispose) ") && !line.starts_with("export {") {
            kept.push_str(line.strip_prefix("export ").unwrap_or(line));
            kept.push('\n');
        }
    }
    if classes.iter().any(|class| kept.contains(*class)) { glue.to_owned() } else { kept }
}

/// The module without the exports that the glue does not use.
pub(crate) fn without_unused_exports(wasm: &[u8], glue: &str) -> Outcome<Vec<u8>> {
    module::map_exports(wasm, |name| (!uses(glue, name).is_empty()).then(|| name.to_owned()))
}

/// Glue and module that speak of each other in short names.
pub(crate) fn with_short_names(Widget { glue, wasm }: Widget) -> Outcome<Widget> {
    let (glue, wasm) = short_imports(&glue, &wasm)?;
    let (glue, wasm) = short_exports(glue, &wasm)?;
    Ok(Widget { glue, wasm: module::without_custom_sections(&wasm)? })
}

const TABLE_START: &str = "    const import0 = {\n";
const TABLE_END: &str = "\n    };\n";
const TABLE_USE: &str = "\"./checkout_bg.js\": import0";

/// The glue's table of functions, one entry per import: renamed, and without those that nothing imports any more.
fn short_imports(glue: &str, wasm: &[u8]) -> Outcome<(String, Vec<u8>)> {
    let (before, rest) = glue.split_once(TABLE_START).ok_or(FOREIGN)?;
    let (table, after) = rest.split_once(TABLE_END).ok_or(FOREIGN)?;
    if after.matches(TABLE_USE).count() != 1 {
        return Err(FOREIGN.to_owned());
    }
    let imports = module::imports(wasm)?;
    let short = |name: &str| imports.iter().position(|import| import == name).map(short_name);
    let mut entries = String::new();
    let mut written = 0;
    let mut wanted = true;
    for line in table.lines() {
        match entry_name(line) {
            Some("__proto__") | None => {}
            Some(name) => {
                let renamed = short(name);
                wanted = renamed.is_some();
                if let Some(renamed) = renamed {
                    written += 1;
                    entries.push_str(&format!("        {renamed}{}\n", &line[8 + name.len()..]));
                }
                continue;
            }
        }
        if wanted {
            entries.push_str(line);
            entries.push('\n');
        }
    }
    if written != imports.len() {
        return Err(format!("{FOREIGN}: {} imports, but {written} functions.", imports.len()));
    }
    let after = after.replace(TABLE_USE, "a: import0");
    let wasm = module::map_imports(wasm, "a", |name| short(name).expect("every import is in the list"))?;
    Ok((format!("{before}{TABLE_START}{}{TABLE_END}{after}", entries.trim_end_matches('\n')), wasm))
}

/// The name of the table's entry that starts on this line: the only lines with exactly this indentation and a colon.
fn entry_name(line: &str) -> Option<&str> {
    let (name, _) = line.strip_prefix("        ")?.split_once(':')?;
    is_identifier(name).then_some(name)
}

fn short_exports(mut glue: String, wasm: &[u8]) -> Outcome<(String, Vec<u8>)> {
    if glue.matches(".exports").count() != 1 {
        return Err(format!("{FOREIGN}: exports are used in more than one place."));
    }
    let mut count = 0;
    let wasm = module::map_exports(wasm, |name| {
        let renamed = short_name(count);
        count += 1;
        for start in uses(&glue, name).into_iter().rev() {
            glue.replace_range(start..start + name.len(), &renamed);
        }
        Some(renamed)
    })?;
    Ok((glue, wasm))
}

/// Where the glue says `wasm.<name>`: the places of the name.
fn uses(glue: &str, name: &str) -> Vec<usize> {
    let text = format!("wasm.{name}");
    let inside = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
    glue.match_indices(&text)
        .filter(|(start, _)| {
            let before = glue[..*start].chars().next_back();
            !inside(before) && before != Some('.') && !inside(glue[start + text.len()..].chars().next())
        })
        .map(|(start, _)| start + "wasm.".len())
        .collect()
}

/// `a` to `z`, then `aa`, `ab`, …
fn short_name(index: usize) -> String {
    let letter = char::from(b"abcdefghijklmnopqrstuvwxyz"[index % 26]);
    if index < 26 { letter.to_string() } else { format!("{}{letter}", short_name(index / 26 - 1)) }
}

#[cfg(test)]
mod tests {
    use super::super::module::tests::module;
    use super::{Widget, short_name, with_short_names, without_exports, without_unused_exports};

    const GLUE: &str = "\
export class Stream {
    pull() {
        wasm.stream_pull(this.__wbg_ptr);
    }
}
if (Symbol.dispose) Stream.prototype[Symbol.dispose] = Stream.prototype.free;
export function start() {
    wasm.start();
}
function __wbg_get_imports() {
    const import0 = {
        __proto__: null,
        __wbg_log_0123456789abcdef: function(arg0) {
            const a = { b: arg0 };
            console.log(a, wasm.memory, wasm.memory2);
        },
        __wbg_gone_0123456789abcdef: function() { return handleError(function (arg0) {
            gone();
        }, arguments); },
        __wbindgen_cast_0000000000000001: function(arg0) {
            return arg0;
        },
    };
    return {
        __proto__: null,
        \"./checkout_bg.js\": import0,
    };
}
const StreamFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_stream_free(ptr, 1));
let wasm;
function initSync(module) {
    return 1;
}
function __wbg_finalize_init(instance, module) {
    wasm = instance.exports;
}
export { initSync, __wbg_init as default };
";

    #[test]
    fn only_what_the_page_uses_is_left() {
        let glue = without_exports(GLUE);
        for gone in ["Stream", "stream_pull", "initSync", "export"] {
            assert!(!glue.replace(".exports", "").contains(gone), "{gone}: {glue}");
        }
        for kept in ["function start() {", "const import0", "let wasm;", "function __wbg_finalize_init("] {
            assert!(glue.contains(kept), "{kept}: {glue}");
        }
        let wasm = module(&[], &["memory", "stream_pull", "start", "mem", "memory2"]);
        let expected = module(&[], &["memory", "start", "memory2"]);
        assert_eq!(without_unused_exports(&wasm, &glue).expect("well formed"), expected);
    }

    #[test]
    fn a_class_that_the_glue_itself_uses_stays() {
        let glue = format!("{GLUE}function wrap(ptr) {{\n    return Stream.__wrap(ptr);\n}}\n");
        assert_eq!(without_exports(&glue), glue);
    }

    #[test]
    fn both_sides_get_the_same_short_names() {
        let wasm = module(
            &["__wbindgen_cast_0000000000000001", "__wbg_log_0123456789abcdef"],
            &["memory", "start", "memory2"],
        );
        let widget = with_short_names(Widget { glue: without_exports(GLUE), wasm }).expect("well formed");
        let table = "\
    const import0 = {
        __proto__: null,
        b: function(arg0) {
            const a = { b: arg0 };
            console.log(a, wasm.a, wasm.c);
        },
        a: function(arg0) {
            return arg0;
        },
    };
    return {
        __proto__: null,
        a: import0,
    };
";
        assert!(widget.glue.contains(table), "{}", widget.glue);
        assert!(widget.glue.contains("function start() {\n    wasm.b();"), "{}", widget.glue);
        let names = super::module::imports(&widget.wasm).expect("well formed");
        assert_eq!(names, ["a", "b"]);
    }

    #[test]
    fn an_import_without_a_function_is_an_error() {
        let wasm = module(&["__wbg_new_0123456789abcdef"], &[]);
        assert!(with_short_names(Widget { glue: without_exports(GLUE), wasm }).is_err());
        assert!(with_short_names(Widget { glue: "let wasm;".to_owned(), wasm: module(&[], &[]) }).is_err());
    }

    #[test]
    fn short_names_are_all_different() {
        let names: std::collections::BTreeSet<String> = (0..2000).map(short_name).collect();
        assert_eq!(names.len(), 2000);
        assert_eq!((short_name(0), short_name(25), short_name(26)), ("a".into(), "z".into(), "aa".into()));
    }
}
