//! Builds `target/site`, the pages and the widget that a release embeds, or `target/site-debug`, which a debug build reads.
//!
//! ```text
//! widget/ ─cargo─> .wasm ─wasm-bindgen─> glue + .wasm ─(release: wasm-opt)─> assets/checkout-<hash>.wasm
//! www/checkout.js ──────── bootstrap + glue ────────────────────> assets/checkout-<hash>.js
//! www/wallet/ ─────────────────────────────────────────────────> assets/wallet-<hash>.js, which checkout-<hash>.js loads when it is needed
//! www/styles/ ─────────────────────────────────────────────────> assets/checkout-<hash>.css
//! www/claim.html ───────── {{style}} {{script}} ─────────────────────────> claim.html, a template for the gateway
//! www/checkout.html ────── {{style}} {{watchdog}} {{js}} {{wasm}} > checkout.html, a template for the gateway
//! www/desk/ ────────────── page, style sheet, script ───────────> desk.html, assets/desk-…
//! sandbox/drawer/ ──────── script ─────────────────────────────> sandbox/drawer.js
//! www/embed/ ──────────────────────────────────────────────────> embed.js, embed.d.ts, embed.json, assets/embed-<version>-<hash>.js
//! www/shop/ ────────────── style sheet, script ────────────────> shop/shop.css, shop/shop.js
//! docs/ ────────────────── mdBook ─────────────────────────────> docs/…
//! ```
//!
//! esbuild joins and minifies scripts and style sheets.
//! Every file has a `.br` and a `.gz` version. The folder is replaced as a whole, and only when its content changed.

pub(crate) mod bundle;
pub(crate) mod compress;
mod desk;
mod embed;
mod fill;
mod wasm;

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::folder::{Files, hash, read_all, replace, sums};
use crate::workspace::{Profile, Workspace};
use crate::{Outcome, docs, files, process, setup};
use bundle::Bundler;
use wasm::Widget;

/// Placeholders of the checkout page that the gateway fills for each payment.
const DRAWN_BY_THE_GATEWAY: &[&str] = &["lang", "dir", "theme", "color", "title", "brand", "main", "data"];

/// The files and folders that the site is built from.
const INPUTS: &[&str] = &[
    ".cargo/config.toml",
    "Cargo.lock",
    "Cargo.toml",
    "core/Cargo.toml",
    "core/src",
    "sandbox/drawer",
    "tsconfig.json",
    "widget",
    "www",
    "xtask/src/rustflags.rs",
    "xtask/src/site",
    "xtask/src/site.rs",
    "xtask/src/wasm.rs",
    "xtask/src/workspace.rs",
];

pub(crate) fn build(workspace: &Workspace, profile: Profile) -> Outcome<()> {
    let scratch = workspace.scratch();
    files::create_folder(&scratch)?;
    let _lock = files::lock(&scratch.join("site.lock"))?;
    let wasm_bindgen = setup::wasm_bindgen(workspace)?;
    let started = Instant::now();
    let docs = docs::build(workspace)?;
    let stamp = stamp(workspace, &docs)?;
    let site = workspace.site(profile);
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
    let before = read_all(&site).unwrap_or_default();
    let files = compress::with_encodings(files, &before, profile)?;
    replace(&site, &site.with_extension("draft"), &files)?;
    files::write(&stamp_file, &stamp)?;
    println!("site: {} in {:.1} s", site.display(), started.elapsed().as_secs_f32());
    Ok(())
}

/// Names the compiler, and every input with its digest.
fn stamp(workspace: &Workspace, docs: &Files) -> Outcome<String> {
    let mut stamp =
        process::capture(Command::new("rustc").arg("-vV"))? + setup::WASM_OPT_VERSION + &sums(docs);
    for input in INPUTS {
        let path = workspace.root.join(input);
        let files = if path.is_dir() {
            read_all(&path)?
        } else {
            Files::from([(String::new(), files::read(&path)?)])
        };
        stamp.push_str(&format!("{input}\n{}", sums(&files)));
    }
    Ok(stamp)
}

fn assemble(root: &Path, scratch: &Path, bundler: &Bundler, widget: &Widget) -> Outcome<Files> {
    let www = root.join("www");
    let css = bundler.style(&www.join("styles/checkout.css"))?;
    let css_name = hashed_name("css", css.as_bytes());
    let wasm_name = hashed_name("wasm", &widget.wasm);
    let url = |name: &str| format!("/assets/{name}");
    let mut values = vec![("css", url(&css_name)), ("wasm", url(&wasm_name))];
    let wallet = bundler.module(&www.join("wallet/main.ts"), &[])?;
    let wallet_name = format!("wallet-{}.js", hash(wallet.as_bytes()));
    let js = bundler.module(
        &www.join("checkout.js"),
        &[
            format!("--alias:checkout-widget={}", widget.glue.display()),
            format!("--define:WASM_URL={:?}", url(&wasm_name)),
            format!("--define:WALLET_URL={:?}", url(&wallet_name)),
            "--external:/assets/*".to_owned(),
        ],
    )?;
    let js_name = hashed_name("js", js.as_bytes());
    values.push(("js", url(&js_name)));
    values.push(("style", css.clone()));
    values.push(("watchdog", bundler.script(&www.join("watchdog.js"), &[])?.trim_end().to_owned()));
    let page = fill::fill(&files::read_text(&www.join("checkout.html"))?, &values, DRAWN_BY_THE_GATEWAY)
        .map_err(|error| format!("www/checkout.html {error}"))?;

    let mut files = Files::from([
        ("checkout.html".to_owned(), page.into_bytes()),
        ("claim.html".to_owned(), claim_page(&www, bundler)?.into_bytes()),
        (format!("assets/{css_name}"), css.into_bytes()),
        (format!("assets/{js_name}"), js.into_bytes()),
        (format!("assets/{wallet_name}"), wallet.into_bytes()),
        (format!("assets/{wasm_name}"), widget.wasm.clone()),
    ]);
    files.extend(desk::assemble(root, scratch, bundler, &url(&css_name))?);
    files.extend(embed::assemble(&www.join("embed"), scratch, bundler)?);
    let shop = www.join("shop");
    files.insert("shop/shop.css".to_owned(), bundler.style(&shop.join("shop.css"))?.into_bytes());
    files.insert("shop/shop.js".to_owned(), bundler.script(&shop.join("shop.ts"), &[])?.into_bytes());
    Ok(files)
}

/// The page with the form of a claim, which loads nothing.
fn claim_page(www: &Path, bundler: &Bundler) -> Outcome<String> {
    let values = [
        ("style", bundler.style(&www.join("styles/claim.css"))?),
        ("script", bundler.script(&www.join("claim.js"), &[])?.trim_end().to_owned()),
    ];
    fill::fill(&files::read_text(&www.join("claim.html"))?, &values, DRAWN_BY_THE_GATEWAY)
        .map_err(|error| format!("www/claim.html {error}"))
}

fn hashed_name(extension: &str, content: &[u8]) -> String {
    format!("checkout-{}.{extension}", hash(content))
}
