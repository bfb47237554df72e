//! Builds the console of the sandbox: one page, one style sheet, one script.

use std::fs;
use std::path::Path;

use super::bundle::Bundler;
use super::{Files, fault, fill, hash};
use crate::Outcome;

/// Builds the page and its assets. `checkout_css` is the URL of the style sheet that it shares with the checkout.
pub(super) fn assemble(root: &Path, scratch: &Path, bundler: &Bundler, checkout_css: &str) -> Outcome<Files> {
    let folder = root.join("sandbox/console");
    let icons = scratch.join("icons.json");
    fs::write(&icons, drawings(root)?).map_err(|error| fault(&icons, &error))?;
    let style = bundler.style(&folder.join("style/console.css"))?;
    let script = bundler.module(&folder.join("main.tsx"), &[format!("--alias:icons={}", icons.display())])?;
    let (style_name, script_name) = (
        format!("assets/console-{}.css", hash(style.as_bytes())),
        format!("assets/console-{}.js", hash(script.as_bytes())),
    );
    let values = [
        ("css", checkout_css.to_owned()),
        ("console-css", format!("/{style_name}")),
        ("console-js", format!("/{script_name}")),
    ];
    let index = folder.join("index.html");
    let page = fs::read_to_string(&index).map_err(|error| fault(&index, &error))?;
    let page = fill::fill(&page, &values, &[]).map_err(|error| format!("{} {error}", index.display()))?;
    Ok(Files::from([
        (style_name, style.into_bytes()),
        (script_name, script.into_bytes()),
        ("console.html".to_owned(), page.into_bytes()),
    ]))
}

/// All icons as a JSON object, which the script imports as `icons`: those of the checkout and the console's own.
fn drawings(root: &Path) -> Outcome<String> {
    let mut drawings = serde_json::Map::new();
    for folder in [root.join("www/icons"), root.join("sandbox/console/icons")] {
        for entry in fs::read_dir(&folder).map_err(|error| fault(&folder, &error))? {
            let path = entry.map_err(|error| fault(&folder, &error))?.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
            if path.extension().is_some_and(|extension| extension == "svg") {
                let drawing = fs::read_to_string(&path).map_err(|error| fault(&path, &error))?;
                drawings.insert(stem, drawing.trim().into());
            }
        }
    }
    Ok(serde_json::Value::Object(drawings).to_string())
}

#[cfg(test)]
pub(super) mod tests {
    use std::fs;
    use std::path::Path;

    use super::super::bundle::tests::bundler;
    use super::assemble;

    /// A console with two modules.
    pub(crate) fn write_console(root: &Path) {
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().expect("in a folder")).expect("writable");
            fs::write(path, text).expect("writable");
        };
        write(
            "sandbox/console/index.html",
            "<link href=\"{{css}}\"><link href=\"{{console-css}}\"><script src=\"{{console-js}}\">",
        );
        write("sandbox/console/style/console.css", "@import \"./1.css\";");
        write("sandbox/console/style/1.css", "b { color: red; }");
        write("sandbox/console/main.tsx", "import { b } from \"./b\";\nconsole.log(b);\n");
        write("sandbox/console/b.ts", "import icons from \"icons\"; // note\nexport const b = icons;\n");
        write("sandbox/console/icons/x.svg", "<svg/>\n");
        write("www/icons/btc.svg", "<svg/>");
    }

    fn has_ending(name: &str, ending: &str) -> bool {
        Path::new(name).extension().is_some_and(|found| found == ending)
    }

    #[test]
    fn changed_files_of_the_console_get_new_names() {
        let root = std::env::temp_dir().join(format!("xtask-console-{}", std::process::id()));
        write_console(&root);
        let make = || assemble(&root, &root, &bundler(), "/assets/checkout-1.css").expect("complete input");
        let before = make();
        assert_eq!(before.len(), 3, "{:?}", before.keys());
        let page = String::from_utf8_lossy(&before["console.html"]);
        for name in before.keys().filter(|name| name.starts_with("assets/")) {
            assert!(page.contains(&format!("\"/{name}\"")), "{name}: {page}");
        }
        let script = before.iter().find(|(name, _)| has_ending(name, "js")).expect("a script").1;
        let script = String::from_utf8_lossy(script);
        assert!(script.contains("btc:\"<svg/>\",x:\"<svg/>\""), "{script}");

        fs::write(root.join("sandbox/console/b.ts"), "export const b = 2;\n").expect("writable");
        let after = make();
        let kept: Vec<_> =
            before.iter().filter(|(name, content)| after.get(*name) == Some(content)).collect();
        assert!(kept.len() == 1 && has_ending(kept[0].0, "css"), "only the style sheet stays: {kept:?}");
        fs::remove_dir_all(root).expect("was made above");
    }
}
