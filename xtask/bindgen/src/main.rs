//! `xtask-bindgen <module> <folder> <name>`: writes `<folder>/<name>.js` and `<folder>/<name>_bg.wasm`, which a page loads.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::mem;
use std::path::Path;

use wasm_bindgen_cli_support::{Bindgen, Output};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder, name] = arguments.as_slice() else {
        return Err("usage: xtask-bindgen <module> <folder> <name>".into());
    };
    let folder = Path::new(folder);
    let mut bindgen = Bindgen::new();
    bindgen.web(true)?.typescript(false).remove_name_section(true).remove_producers_section(true);
    let mut output = bindgen.input_path(module).out_name(name).generate_output()?;
    let renamed = drop_hashes(&mut output);
    output.emit(folder)?;
    let path = folder.join(format!("{name}.js"));
    let script = without_classes(&rename(&fs::read_to_string(&path)?, &renamed));
    drop_exports(&mut output, &script)?;
    fs::write(path, script)?;
    Ok(output.wasm_mut().emit_wasm_file(folder.join(format!("{name}_bg.wasm")))?)
}

/// A page calls functions. The classes are streams that Leptos brings for functions on a server; what frees their objects would keep
/// them in a bundle.
fn without_classes(script: &str) -> String {
    let is_of_class = |line: &str| {
        let starts = ["export class ", "if (Symbol.dispose)"].iter().any(|start| line.starts_with(start));
        starts || line.contains("Finalization = ")
    };
    let mut dropped = false;
    let kept = script.split_inclusive('\n').filter(|line| {
        if !line.starts_with([' ', '}']) {
            dropped = is_of_class(line);
        }
        !dropped
    });
    kept.collect()
}

/// What the script does not call. wasm-opt removes the functions.
fn drop_exports(output: &mut Output, script: &str) -> Result<(), Box<dyn Error>> {
    let called: BTreeSet<&str> = words(script).map(|(word, _)| word).collect();
    let exports = &mut output.wasm_mut().exports;
    let names: Vec<String> = exports.iter().map(|export| export.name.clone()).collect();
    for name in names.iter().filter(|name| !called.contains(name.as_str())) {
        exports.remove(name)?;
    }
    Ok(())
}

/// The names between module and script end with a hash, two hundred times eight bytes that do not compress, in both files.
/// Returns each name and its new one.
fn drop_hashes(output: &mut Output) -> BTreeMap<String, String> {
    let module = output.wasm_mut();
    let imports = module.imports.iter_mut().map(|import| &mut import.name);
    let exports = module.exports.iter_mut().map(|export| &mut export.name);
    let (mut taken, mut renamed) = (BTreeSet::new(), BTreeMap::new());
    for name in imports.chain(exports) {
        if let Some(stem) = without_hash(name) {
            let mut new = stem.to_owned();
            while !taken.insert(new.clone()) {
                new = format!("{stem}{}", taken.len());
            }
            renamed.insert(mem::replace(name, new.clone()), new);
        }
    }
    renamed
}

/// A name can be the start of another one.
fn rename(script: &str, names: &BTreeMap<String, String>) -> String {
    words(script).flat_map(|(word, end)| [names.get(word).map_or(word, String::as_str), end]).collect()
}

/// Each word with what follows it.
fn words(script: &str) -> impl Iterator<Item = (&str, &str)> {
    let ends = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    script.split_inclusive(ends).map(move |piece| piece.split_at(piece.trim_end_matches(ends).len()))
}

/// `__wbg_get` of `__wbg_get_d7176cfb76d71114`.
fn without_hash(name: &str) -> Option<&str> {
    let (stem, hash) = name.split_at_checked(name.len().checked_sub(16)?)?;
    hash.bytes()
        .all(|digit| digit.is_ascii_hexdigit())
        .then(|| stem.trim_end_matches('h').trim_end_matches('_'))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{rename, without_classes, without_hash};

    #[test]
    fn only_a_hash_is_dropped() {
        let check = |name, expected| assert_eq!(without_hash(name), expected, "{name}");
        check("__wbg_get_d7176cfb76d71114", Some("__wbg_get"));
        check(
            "wasm_bindgen__convert__closures_____invoke__h0123456789abcdef",
            Some("wasm_bindgen__convert__closures_____invoke"),
        );
        check("__wbindgen_malloc", None);
        check("start", None);
    }

    #[test]
    fn functions_stay_and_classes_go() {
        let function = "export function start() {\n    wasm.start();\n}\n";
        let class = "export class Sink {\n    free() {\n        wasm.free();\n    }\n}\n";
        let frees = "if (Symbol.dispose) Sink.prototype[Symbol.dispose] = Sink.prototype.free;\n";
        let registry = "const SinkFinalization = (typeof F === 'undefined')\n    ? { }\n    : new F();\n";
        let closures = "const CLOSURE_DTORS = (typeof F === 'undefined')\n    ? { }\n    : new F();\n";
        let script = [class, frees, "\n", function, registry, closures].concat();
        assert_eq!(without_classes(&script), ["\n", function, closures].concat());
    }

    #[test]
    fn whole_names_are_replaced() {
        let names = BTreeMap::from([("get_1".to_owned(), "get".to_owned())]);
        assert_eq!(
            rename("{get_1: (get_1_2) => wasm.get_1(get_1)}é", &names),
            "{get: (get_1_2) => wasm.get(get)}é"
        );
    }
}
