//! Builds the desk, one page with one style sheet and one script, and the script of the sandbox's drawer, which lies where only a
//! sandbox serves it.

use std::fs;
use std::path::Path;

use super::bundle::Bundler;
use super::fill;
use crate::folder::{Files, hash};
use crate::{Outcome, files};

/// `checkout_css` is the URL of the style sheet that the desk shares with the checkout.
pub(super) fn assemble(root: &Path, scratch: &Path, bundler: &Bundler, checkout_css: &str) -> Outcome<Files> {
    let icons = scratch.join("icons.json");
    files::write(&icons, drawings(root)?)?;
    let script =
        |entry: &str| bundler.module(&root.join(entry), &[format!("--alias:icons={}", icons.display())]);
    let desk = script("www/desk/main.tsx")?;
    let style = bundler.style(&root.join("www/desk/style/desk.css"))?;
    let style_name = format!("assets/desk-{}.css", hash(style.as_bytes()));
    let desk_name = format!("assets/desk-{}.js", hash(desk.as_bytes()));
    let values = [
        ("css", checkout_css.to_owned()),
        ("own-css", format!("/{style_name}")),
        ("own-js", format!("/{desk_name}")),
    ];
    let page = files::read_text(&root.join("www/desk/index.html"))?;
    let page = fill::fill(&page, &values, &[]).map_err(|error| format!("www/desk/index.html {error}"))?;
    Ok(Files::from([
        (style_name, style.into_bytes()),
        (desk_name, desk.into_bytes()),
        ("desk.html".to_owned(), page.into_bytes()),
        ("sandbox/drawer.js".to_owned(), script("sandbox/drawer/main.tsx")?.into_bytes()),
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

    /// A desk with two modules, and a drawer.
    pub(crate) fn write_desk(root: &Path) {
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().expect("in a folder")).expect("writable");
            fs::write(path, text).expect("writable");
        };
        write(
            "www/desk/index.html",
            "<link href=\"{{css}}\"><link href=\"{{own-css}}\"><script src=\"{{own-js}}\">",
        );
        write("www/desk/style/desk.css", "@import \"./1.css\";");
        write("www/desk/style/1.css", "b { color: red; }");
        write("www/desk/main.tsx", "import { b } from \"./b\";\nconsole.log(b);\n");
        write("www/desk/b.ts", "import icons from \"icons\"; // note\nexport const b = icons;\n");
        write("sandbox/drawer/main.tsx", "console.log(1);\n");
        write("www/desk/icons/x.svg", "<svg/>\n");
        write("www/icons/btc.svg", "<svg/>");
    }

    #[test]
    fn changed_files_of_the_desk_get_new_names() {
        let root = std::env::temp_dir().join(format!("xtask-desk-{}", std::process::id()));
        write_desk(&root);
        let make = || assemble(&root, &root, &bundler(), "/assets/checkout-1.css").expect("complete input");
        let before = make();
        let assets = before.keys().filter(|name| name.starts_with("assets/desk-")).collect::<Vec<_>>();
        let page = String::from_utf8_lossy(&before["desk.html"]);
        assert!(
            assets.len() == 2 && assets.iter().all(|name| page.contains(&format!("\"/{name}\""))),
            "{page}"
        );
        let script = String::from_utf8_lossy(&before[assets[1]]);
        assert!(script.contains("btc:\"<svg/>\",x:\"<svg/>\""), "{script}");
        assert_eq!(before["sandbox/drawer.js"], b"console.log(1);\n");

        fs::write(root.join("www/desk/b.ts"), "export const b = 2;\n").expect("writable");
        let after = make();
        assert!(after.contains_key(assets[0]), "the style sheet stays");
        assert!(!after.contains_key(assets[1]), "the script has another name");
        fs::remove_dir_all(root).expect("was made above");
    }
}
