//! Builds the script for merchants' pages and its types.

use std::path::Path;

use super::bundle::Bundler;
use super::folder::Files;
use crate::files;
use crate::outcome::Outcome;

/// Builds `embed.js`, which contains its style sheet, and `embed.d.ts`, which is the module of types unchanged.
pub(super) fn assemble(folder: &Path, scratch: &Path, bundler: &Bundler) -> Outcome<Files> {
    let style = scratch.join("embed.css");
    files::write(&style, bundler.style(&folder.join("style.css"))?)?;
    let style = [format!("--alias:style={}", style.display()), "--loader:.css=text".to_owned()];
    let script = bundler.script(&folder.join("main.ts"), &style)?;
    let types = folder.join("types.ts");
    let types = files::read(&types)?;
    Ok(Files::from([("embed.js".to_owned(), script.into_bytes()), ("embed.d.ts".to_owned(), types)]))
}

#[cfg(test)]
pub(super) mod tests {
    use std::fs;
    use std::path::Path;

    use super::super::bundle::tests::bundler;
    use super::assemble;

    /// A custom element with two modules and a style sheet.
    pub(crate) fn write_embed(root: &Path) {
        let folder = root.join("www/embed");
        fs::create_dir_all(&folder).expect("writable");
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("writable");
        write("main.ts", "import { run } from \"./run\";\nimport css from \"style\";\nrun(css);\n");
        write("run.ts", "export const run = (css: string): void => console.log(css); // loader\n");
        write("style.css", ":host { display: block; }\n");
        write("types.ts", "export interface Element {}\n");
    }

    #[test]
    fn the_script_contains_its_style_sheet() {
        let root = std::env::temp_dir().join(format!("xtask-embed-{}", std::process::id()));
        write_embed(&root);
        let files = assemble(&root.join("www/embed"), &root, &bundler()).expect("complete input");
        let script = String::from_utf8_lossy(&files["embed.js"]);
        assert!(script.starts_with("(()=>{") && script.contains(":host{display:block}"), "{script}");
        assert!(!script.contains("import") && !script.contains("loader"), "{script}");
        assert_eq!(files["embed.d.ts"], b"export interface Element {}\n");
        fs::remove_dir_all(root).expect("was made above");
    }
}
