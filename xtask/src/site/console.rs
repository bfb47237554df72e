//! The console of the sandbox: `www/console/` as one page, one style sheet and its modules.
//!
//! Modules stay modules: each gets a name with its hash, and those that import it get that name.

use std::fs;
use std::path::Path;

use super::{Files, css, fault, fill, hash, javascript};
use crate::Outcome;

/// The page and its assets; `checkout_css` is the address of the style sheet that it shares with the checkout.
pub(super) fn assemble(www: &Path, checkout_css: &str) -> Outcome<Files> {
    let folder = www.join("console");
    let mut files = Files::new();
    let style = css::minify(&style(&folder.join("style"))?);
    let style_name = format!("assets/console-{}.css", hash(style.as_bytes()));
    files.insert(style_name.clone(), style.into_bytes());
    let mut modules = Modules {
        folder: &folder,
        icons: icons(www)?,
        named: Vec::new(),
        open: Vec::new(),
        files: &mut files,
    };
    let script_name = modules.add("main.js")?;
    let values = [
        ("css", checkout_css.to_owned()),
        ("console-css", format!("/{style_name}")),
        ("console-js", format!("/assets/{script_name}")),
    ];
    let page = fill::fill(&read(&folder.join("index.html"))?, &values, &[])
        .map_err(|error| format!("www/console/index.html {error}"))?;
    files.insert("console.html".to_owned(), page.into_bytes());
    Ok(files)
}

struct Modules<'a> {
    folder: &'a Path,
    icons: String,
    /// File names and the names they got.
    named: Vec<(String, String)>,
    /// Those that wait for what they import.
    open: Vec<String>,
    files: &'a mut Files,
}

impl Modules<'_> {
    /// Adds a module after those that it imports; the name it got.
    fn add(&mut self, name: &str) -> Outcome<String> {
        if let Some((_, known)) = self.named.iter().find(|(file, _)| file == name) {
            return Ok(known.clone());
        }
        if self.open.iter().any(|open| open == name) {
            return Err(format!("www/console/{name} imports itself: {}.", self.open.join(" → ")));
        }
        self.open.push(name.to_owned());
        let values = [("icons", self.icons.clone())];
        let source = fill::fill(&read(&self.folder.join(name))?, &values, &[])
            .map_err(|error| format!("www/console/{name} {error}"))?;
        let mut linked = String::with_capacity(source.len());
        let mut rest = source.as_str();
        while let Some((before, after)) = rest.split_once("from \"./") {
            let (import, after) = after
                .split_once('"')
                .ok_or_else(|| format!("www/console/{name} has an import without its end."))?;
            linked.push_str(before);
            linked.push_str(&format!("from \"./{}\"", self.add(import)?));
            rest = after;
        }
        linked.push_str(rest);
        let text = javascript::without_comments(&linked);
        let stem = name.trim_end_matches(".js");
        let own = format!("console-{stem}-{}.js", hash(text.as_bytes()));
        self.files.insert(format!("assets/{own}"), text.into_bytes());
        self.open.pop();
        self.named.push((name.to_owned(), own.clone()));
        Ok(own)
    }
}

/// The style sheets in the order of their names, as one.
fn style(folder: &Path) -> Outcome<String> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| fault(folder, &error))? {
        paths.push(entry.map_err(|error| fault(folder, &error))?.path());
    }
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

/// Every drawing as a JSON object: those of the checkout, and the console's own.
fn icons(www: &Path) -> Outcome<String> {
    let mut drawings = serde_json::Map::new();
    for folder in [www.join("icons"), www.join("console/icons")] {
        for entry in fs::read_dir(&folder).map_err(|error| fault(&folder, &error))? {
            let path = entry.map_err(|error| fault(&folder, &error))?.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
            if path.extension().is_some_and(|extension| extension == "svg") {
                drawings.insert(stem, read(&path)?.trim().into());
            }
        }
    }
    Ok(serde_json::Value::Object(drawings).to_string())
}

fn read(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).map_err(|error| fault(path, &error))
}

#[cfg(test)]
pub(super) mod tests {
    use std::fs;
    use std::path::Path;

    use super::assemble;

    /// A console of two modules.
    pub(crate) fn write_console(www: &Path) {
        let write = |name: &str, text: &str| {
            let path = www.join(name);
            fs::create_dir_all(path.parent().expect("in a folder")).expect("writable");
            fs::write(path, text).expect("writable");
        };
        write(
            "console/index.html",
            "<link href=\"{{css}}\"><link href=\"{{console-css}}\"><script src=\"{{console-js}}\">",
        );
        write("console/style/2.css", "b { color: blue; }");
        write("console/style/1.css", "b { color: red; }");
        write("console/main.js", "import { a } from \"./a.js\";\nimport { b } from \"./b.js\";\na(b);\n");
        write("console/a.js", "import { b } from \"./b.js\"; // note\nexport const a = () => b;\n");
        write("console/b.js", "export const b = {{icons}};\n");
        write("console/icons/x.svg", "<svg/>\n");
        write("icons/btc.svg", "<svg/>");
    }

    #[test]
    fn modules_find_each_other_and_names_follow_what_they_import() {
        let www = std::env::temp_dir().join(format!("xtask-console-{}", std::process::id()));
        write_console(&www);
        let make = || assemble(&www, "/assets/checkout-1.css").expect("complete input");
        let before = make();
        assert_eq!(before.len(), 5, "{:?}", before.keys());
        for (name, content) in &before {
            let text = String::from_utf8_lossy(content);
            let references = text.split('"').filter_map(|part| part.strip_prefix("./"));
            for reference in references {
                assert!(before.contains_key(&format!("assets/{reference}")), "{name} imports {reference}");
            }
        }
        let icons =
            before.iter().find(|(name, _)| name.starts_with("assets/console-b-")).expect("a module").1;
        assert_eq!(String::from_utf8_lossy(icons), "export const b={\"btc\":\"<svg/>\",\"x\":\"<svg/>\"};\n");
        fs::write(www.join("console/b.js"), "export const b = 2;\n").expect("writable");
        let after = make();
        let kept = before.keys().filter(|name| after.contains_key(*name)).count();
        assert_eq!(kept, 2, "only the page and the style sheet keep their names");

        fs::write(www.join("console/b.js"), "import { a } from \"./a.js\";\n").expect("writable");
        let sentence = assemble(&www, "").expect_err("a circle");
        assert!(sentence.contains("main.js → a.js → b.js"), "{sentence}");
        fs::remove_dir_all(www).expect("was made above");
    }
}
