//! Builds the pages of operators and of developers, the desk and the sandbox's console: each one page, one style sheet, one
//! script.

use std::fs;
use std::path::Path;

use super::bundle::Bundler;
use super::fill;
use crate::folder::{Files, hash};
use crate::{Outcome, files};

/// The folder of a page, and the name of its style sheet and of its files.
const PAGES: [(&str, &str); 2] = [("www/desk", "desk"), ("sandbox/console", "console")];

/// Builds the pages and their assets. `checkout_css` is the URL of the style sheet that they share with the checkout.
pub(super) fn assemble(root: &Path, scratch: &Path, bundler: &Bundler, checkout_css: &str) -> Outcome<Files> {
    let icons = scratch.join("icons.json");
    files::write(&icons, drawings(root)?)?;
    let mut built = Files::new();
    for (folder, name) in PAGES {
        built.extend(page(&root.join(folder), name, &icons, bundler, checkout_css)?);
    }
    Ok(built)
}

fn page(folder: &Path, name: &str, icons: &Path, bundler: &Bundler, checkout_css: &str) -> Outcome<Files> {
    let style = bundler.style(&folder.join(format!("style/{name}.css")))?;
    let script = bundler.module(&folder.join("main.tsx"), &[format!("--alias:icons={}", icons.display())])?;
    let (style_name, script_name) = (
        format!("assets/{name}-{}.css", hash(style.as_bytes())),
        format!("assets/{name}-{}.js", hash(script.as_bytes())),
    );
    let values = [
        ("css", checkout_css.to_owned()),
        ("own-css", format!("/{style_name}")),
        ("own-js", format!("/{script_name}")),
    ];
    let index = folder.join("index.html");
    let page = files::read_text(&index)?;
    let page = fill::fill(&page, &values, &[]).map_err(|error| format!("{} {error}", index.display()))?;
    Ok(Files::from([
        (style_name, style.into_bytes()),
        (script_name, script.into_bytes()),
        (format!("{name}.html"), page.into_bytes()),
    ]))
}

/// All icons as a JSON object, which the scripts import as `icons`: those of the checkout and the desk's own.
fn drawings(root: &Path) -> Outcome<String> {
    let mut drawings = serde_json::Map::new();
    for folder in [root.join("www/icons"), root.join("www/desk/icons")] {
        for entry in fs::read_dir(&folder).map_err(files::fault(&folder))? {
            let path = entry.map_err(files::fault(&folder))?.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
            if path.extension().is_some_and(|extension| extension == "svg") {
                let drawing = files::read_text(&path)?;
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

    /// A desk, and a console with two modules.
    pub(crate) fn write_console(root: &Path) {
        const PAGE: &str = "<link href=\"{{css}}\"><link href=\"{{own-css}}\"><script src=\"{{own-js}}\">";
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().expect("in a folder")).expect("writable");
            fs::write(path, text).expect("writable");
        };
        write("www/desk/index.html", PAGE);
        write("www/desk/style/desk.css", "i { color: red; }");
        write("www/desk/main.tsx", "console.log(1);\n");
        write("sandbox/console/index.html", PAGE);
        write("sandbox/console/style/console.css", "@import \"./1.css\";");
        write("sandbox/console/style/1.css", "b { color: red; }");
        write("sandbox/console/main.tsx", "import { b } from \"./b\";\nconsole.log(b);\n");
        write("sandbox/console/b.ts", "import icons from \"icons\"; // note\nexport const b = icons;\n");
        write("www/desk/icons/x.svg", "<svg/>\n");
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
        assert_eq!(before.len(), 6, "{:?}", before.keys());
        let page = String::from_utf8_lossy(&before["console.html"]);
        for name in before.keys().filter(|name| name.starts_with("assets/console-")) {
            assert!(page.contains(&format!("\"/{name}\"")), "{name}: {page}");
        }
        let script = before
            .iter()
            .find(|(name, _)| name.contains("console-") && has_ending(name, "js"))
            .expect("a script")
            .1;
        let script = String::from_utf8_lossy(script);
        assert!(script.contains("btc:\"<svg/>\",x:\"<svg/>\""), "{script}");

        fs::write(root.join("sandbox/console/b.ts"), "export const b = 2;\n").expect("writable");
        let after = make();
        let kept: Vec<_> =
            before.iter().filter(|(name, content)| after.get(*name) == Some(content)).collect();
        let kept: Vec<_> = kept.into_iter().filter(|(name, _)| name.contains("console")).collect();
        assert!(kept.len() == 1 && has_ending(kept[0].0, "css"), "only the style sheet stays: {kept:?}");
        fs::remove_dir_all(root).expect("was made above");
    }
}
