//! Builds the desk, one page with one style sheet and one script, and the script of the sandbox's drawer, which lies where only a
//! sandbox serves it.

use std::path::Path;

use super::bundle::Bundler;
use super::{asset, fill};
use crate::files::{Files, read_all};
use crate::{Outcome, files};

/// `css` is the address of the style sheet that the desk shares with the checkout.
pub(super) fn assemble(root: &Path, scratch: &Path, bundler: &Bundler, css: String) -> Outcome<Files> {
    let icons = scratch.join("icons.json");
    files::write(&icons, drawings(root)?)?;
    let script =
        |entry: &str| bundler.module(&root.join(entry), &[format!("--alias:icons={}", icons.display())]);
    let mut files = Files::new();
    let own_css = asset(&mut files, "desk", "css", bundler.style(&root.join("www/desk/style/desk.css"))?);
    let own_js = asset(&mut files, "desk", "js", script("www/desk/main.tsx")?);
    let values = [("css", css), ("own_css", own_css), ("own_js", own_js)];
    files.insert("desk.html".to_owned(), fill(&root.join("www/desk/index.html"), &values, &[])?.into_bytes());
    files.insert("sandbox/drawer.js".to_owned(), script("sandbox/drawer/main.tsx")?.into_bytes());
    Ok(files)
}

/// All icons as a JSON object, which the scripts import as `icons`: those of the checkout and the desk's own.
fn drawings(root: &Path) -> Outcome<String> {
    let mut drawings = serde_json::Map::new();
    for folder in ["www/icons", "www/desk/icons"] {
        for (name, drawing) in read_all(&root.join(folder))? {
            if let Some(stem) = name.strip_suffix(".svg") {
                drawings.insert(stem.to_owned(), String::from_utf8_lossy(&drawing).trim().into());
            }
        }
    }
    Ok(serde_json::Value::Object(drawings).to_string())
}
