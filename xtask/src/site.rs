//! Builds `target/site`, the pages and the widget that a release embeds, or `target/site-debug`, which a debug build reads.
//!
//! ```text
//! widget/ ─cargo─> .wasm ─wasm-bindgen─> glue + .wasm ─(release: wasm-opt)─> assets/checkout-<hash>.wasm
//! www/checkout.js ──────── bootstrap + glue ────────────────────> assets/checkout-<hash>.js
//! www/wallet/ ─────────────────────────────────────────────────> assets/wallet-<hash>.js, which checkout-<hash>.js loads when it is needed
//! www/styles/ ─────────────────────────────────────────────────> assets/checkout-<hash>.css
//! www/claim.html ───────── {{style}} {{script}} ─────────────────────────> claim.html, a template for the gateway
//! www/checkout.html ────── {{style}} {{watchdog}} {{js}} {{wasm}} > checkout.html, a template for the gateway
//! www/counter/ ──────── style sheet, script ───────────────────> counter.html, a template for the gateway, assets/counter-…
//! www/desk/ ────────────── page, style sheet, script ───────────> desk.html, assets/desk-…
//! sandbox/drawer/ ──────── script ─────────────────────────────> sandbox/drawer.js
//! sandbox/wallet/ ──────── script ─────────────────────────────> sandbox/wallet.js
//! www/embed/ ──────────────────────────────────────────────────> embed.js, embed.d.ts, embed.json, assets/embed-<version>-<hash>.js
//! www/shop/ ────────────── style sheet, script ────────────────> shop/shop.css, shop/shop.js
//! docs/ ────────────────── mdBook ─────────────────────────────> docs/…
//! ```
//!
//! esbuild joins and minifies scripts and style sheets.
//! Every file has a `.br` and a `.gz` version. The folder is replaced as a whole, and only when its content changed.

pub(crate) mod bundle;
pub(crate) mod compress;
mod embed;
mod engines;
pub(crate) mod wasm;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use minijinja::{Environment, UndefinedBehavior};
use serde_json::{Map, Value};

use crate::files::{Files, hash, read_all, replace, sums};
use crate::workspace::{Profile, Workspace};
use crate::{Outcome, docs, files, process, setup};
use bundle::Bundler;
pub(crate) use embed::script as embed_script;
pub(crate) use wasm::{Widget, widget};

/// Placeholders of the checkout page that the gateway fills for each payment.
const DRAWN_BY_THE_GATEWAY: &[&str] = &["lang", "dir", "theme", "color", "title", "brand", "main", "data"];

/// The files and folders that the site is built from.
#[rustfmt::skip]
const INPUTS: &[&str] = &[
    ".cargo/config.toml", "Cargo.lock", "Cargo.toml", "core/Cargo.toml", "core/src", "sandbox/drawer", "sandbox/wallet", "tsconfig.json", "widget", "www",
    "xtask/src/site", "xtask/src/site.rs", "xtask/src/workspace.rs",
];

pub(crate) fn build(workspace: &Workspace, profile: Profile) -> Outcome<()> {
    let scratch = workspace.scratch();
    let _lock = workspace.lock("site")?;
    let wasm_bindgen = setup::wasm_bindgen(workspace)?;
    let started = Instant::now();
    let docs = docs::build(workspace)?;
    let stamp = stamp(workspace, &docs)?;
    let site = workspace.built("site", profile);
    // Beside the site, so that no gateway serves it.
    let stamp_file = site.with_extension("stamp");
    if files::read_text(&stamp_file).is_ok_and(|old| old == stamp) && site.join("checkout.html").is_file() {
        println!("site: unchanged, {}", site.display());
        return Ok(());
    }
    println!("site: building the widget ({profile:?})");
    let widget = wasm::build(workspace, profile, &wasm_bindgen)?;
    let bundler = Bundler::find_or_install(workspace)?;
    let mut files = assemble(&workspace.root, &scratch, &bundler, &widget)?;
    files.extend(docs.into_iter().map(|(name, content)| (format!("docs/{name}"), content)));
    println!("site: compressing {} files", files.len());
    let files = compress::with_encodings(files, profile)?;
    replace(&site, &files)?;
    files::write(&stamp_file, &stamp)?;
    println!("site: {} in {:.1} s", site.display(), started.elapsed().as_secs_f32());
    Ok(())
}

/// Names the compiler, and every input with its digest.
fn stamp(workspace: &Workspace, docs: &Files) -> Outcome<String> {
    let mut stamp =
        process::capture(Command::new("rustc").arg("-vV"))? + setup::WASM_OPT_VERSION + &sums(docs);
    for input in INPUTS {
        let files = read_all(&workspace.root.join(input))?;
        stamp.push_str(&format!("{input}\n{}", sums(&files)));
    }
    Ok(stamp)
}

fn assemble(root: &Path, scratch: &Path, bundler: &Bundler, widget: &Widget) -> Outcome<Files> {
    let www = root.join("www");
    let mut files = Files::new();
    let style = bundler.style(&www.join("styles/checkout.css"))?;
    let css = asset(&mut files, "checkout", "css", &style);
    let wasm = asset(&mut files, "checkout", "wasm", &widget.wasm);
    let wallet = asset(&mut files, "wallet", "js", bundler.module(&www.join("wallet/main.ts"), &[])?);
    let settings = [
        format!("--alias:checkout-widget={}", widget.glue.display()),
        format!("--define:STYLE_URL={css:?}"),
        format!("--define:WASM_URL={wasm:?}"),
        format!("--define:WALLET_URL={wallet:?}"),
        "--external:/assets/*".to_owned(),
    ];
    let js = asset(&mut files, "checkout", "js", bundler.module(&www.join("checkout.js"), &settings)?);
    let inline = |script| Outcome::Ok(bundler.script(&www.join(script), &[])?.trim_end().to_owned());
    let watchdog = inline("watchdog.js")?;
    let values = [("css", css.clone()), ("wasm", wasm), ("js", js), ("style", style), ("watchdog", watchdog)];
    let page = fill(&www.join("checkout.html"), &values, DRAWN_BY_THE_GATEWAY)?;
    // The page with the form of a claim loads nothing.
    let values = [("style", bundler.style(&www.join("styles/claim.css"))?), ("script", inline("claim.js")?)];
    let claim = fill(&www.join("claim.html"), &values, DRAWN_BY_THE_GATEWAY)?;
    let values = [
        ("css", asset(&mut files, "counter", "css", bundler.style(&www.join("counter/counter.css"))?)),
        ("js", asset(&mut files, "counter", "js", bundler.module(&www.join("counter/main.ts"), &[])?)),
    ];
    let counter = fill(&www.join("counter/index.html"), &values, &["lang", "title", "noscript", "words"])?;
    for (name, content) in [
        ("checkout.html", page),
        ("claim.html", claim),
        ("counter.html", counter),
        ("shop/shop.css", bundler.style(&www.join("shop/shop.css"))?),
        ("shop/shop.js", bundler.script(&www.join("shop/shop.ts"), &[])?),
    ] {
        files.insert(name.to_owned(), content.into_bytes());
    }
    files.extend(desk(root, scratch, bundler, css)?);
    files.extend(embed::assemble(&www.join("embed"), scratch, bundler)?);
    Ok(files)
}

/// The desk, one page with one style sheet and one script, and the scripts of the sandbox's drawer and wallet, which lie where only a
/// sandbox serves them. `css` is the address of the style sheet that the desk shares with the checkout.
fn desk(root: &Path, scratch: &Path, bundler: &Bundler, css: String) -> Outcome<Files> {
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
    files.insert("sandbox/wallet.js".to_owned(), script("sandbox/wallet/main.ts")?.into_bytes());
    Ok(files)
}

/// All icons as a JSON object, which the scripts import as `icons`: those of the checkout and the desk's own.
fn drawings(root: &Path) -> Outcome<String> {
    let mut drawings = Map::new();
    for folder in ["www/icons", "www/desk/icons"] {
        for (name, drawing) in read_all(&root.join(folder))? {
            if let Some(stem) = name.strip_suffix(".svg") {
                drawings.insert(stem.to_owned(), String::from_utf8_lossy(&drawing).trim().into());
            }
        }
    }
    Ok(Value::Object(drawings).to_string())
}

/// Adds a file under a name with its hash; returns its address.
pub(crate) fn asset(files: &mut Files, name: &str, ending: &str, content: impl AsRef<[u8]>) -> String {
    let content = content.as_ref();
    let name = format!("assets/{name}-{}.{ending}", hash(content));
    files.insert(name.clone(), content.to_owned());
    format!("/{name}")
}

/// Fills the `{{name}}` of a page; an unknown one is an error, and those in `kept` stay for the gateway.
pub(crate) fn fill(page: &Path, values: &[(&str, String)], kept: &[&str]) -> Outcome<String> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.set_keep_trailing_newline(true);
    let kept = kept.iter().map(|name| (*name, format!("{{{{{name}}}}}")));
    let values: BTreeMap<&str, String> = values.iter().cloned().chain(kept).collect();
    let filled = templates.render_str(&files::read_text(page)?, values);
    filled.map_err(|error| format!("{}: {error:#}", page.display()))
}
