//! Builds the desk, one page with one style sheet and one script, and the script of the sandbox's drawer, which lies where only a
//! sandbox serves it.

use std::path::Path;

use super::bundle::Bundler;
use super::fill;
use crate::folder::{Files, hash, read_all};
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
    for folder in ["www/icons", "www/desk/icons"] {
        for (name, drawing) in read_all(&root.join(folder))? {
            if let Some(stem) = name.strip_suffix(".svg") {
                drawings.insert(stem.to_owned(), String::from_utf8_lossy(&drawing).trim().into());
            }
        }
    }
    Ok(serde_json::Value::Object(drawings).to_string())
}
