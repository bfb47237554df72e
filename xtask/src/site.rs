//! Builds `target/site`, the pages and the widget that a release embeds, or `target/site-debug`, which a debug build reads.
//!
//! ```text
//! widget/ ─cargo─> .wasm ─wasm-bindgen─> glue + .wasm ─(release: wasm-opt)─> assets/checkout-<hash>.wasm
//! www/checkout.js ──────── bootstrap + glue ────────────────────> assets/checkout-<hash>.js
//! www/wallet/ ─────────────────────────────────────────────────> assets/wallet-<hash>.js, which checkout-<hash>.js loads when it is needed
//! www/styles/ ─────────────────────────────────────────────────> assets/checkout-<hash>.css
//! www/claim.html ───────── {{style}} {{script}} ─────────────────────────> claim.html, a template for the gateway
//! www/checkout.html ────── {{style}} {{watchdog}} {{js}} {{wasm}} > checkout.html, a template for the gateway
//! sandbox/console/ ─────── page, style sheet, script ───────────> console.html, assets/console-…
//! www/desk/ ────────────── page, style sheet, script ───────────> desk.html, assets/desk-…
//! www/embed/ ──────────────────────────────────────────────────> embed.js, embed.d.ts, embed.json, assets/embed-<version>-<hash>.js
//! www/shop/ ────────────── style sheet, script ────────────────> shop/shop.css, shop/shop.js
//! docs/ ────────────────── mdBook ─────────────────────────────> docs/…
//! ```
//!
//! esbuild joins and minifies scripts and style sheets.
//! Every file has a `.br` and a `.gz` version. The folder is replaced as a whole, and only when its content changed.

pub(crate) mod bundle;
pub(crate) mod compress;
mod console;
mod embed;
mod fill;
mod model;
mod stamp;
pub(crate) mod types;
mod wasm;

use std::path::Path;
use std::time::Instant;

use crate::folder::{Files, hash, read_all, replace};
use crate::outcome::Outcome;
use crate::workspace::{Profile, Workspace};
use crate::{docs, files, setup};
use bundle::Bundler;
use wasm::Widget;

/// Placeholders of the checkout page that the gateway fills for each payment.
const DRAWN_BY_THE_GATEWAY: &[&str] = &["lang", "dir", "theme", "color", "title", "brand", "main", "data"];

pub(crate) fn build(workspace: &Workspace, profile: Profile) -> Outcome<()> {
    let scratch = workspace.scratch();
    files::create_folder(&scratch)?;
    let _lock = stamp::lock(&scratch)?;
    let wasm_bindgen = setup::wasm_bindgen(workspace)?;
    let wasm_opt = match profile {
        Profile::Release => setup::wasm_opt(workspace),
        Profile::Debug => None,
    };
    let started = Instant::now();
    let docs = docs::build(workspace)?;
    let stamp = stamp::of_inputs(workspace, wasm_opt.as_ref(), &docs)?;
    let site = workspace.site(profile);
    if stamp::is_fresh(&site, &stamp) {
        println!("site: unchanged, {}", site.display());
        return Ok(());
    }
    println!("site: building the widget ({profile:?})");
    let widget = wasm::build(workspace, profile, &wasm_bindgen, wasm_opt.as_ref())?;
    let bundler = Bundler::find_or_install(workspace)?;
    let mut files = assemble(&workspace.root, &scratch, &bundler, &widget)?;
    files.extend(docs.into_iter().map(|(name, content)| (format!("docs/{name}"), content)));
    println!("site: compressing {} files", files.len());
    let before = read_all(&site).unwrap_or_default();
    let files = compress::with_encodings(files, &before, profile)?;
    replace(&site, &site.with_extension("draft"), &files)?;
    stamp::write(&site, &stamp)?;
    println!("site: {} in {:.1} s", site.display(), started.elapsed().as_secs_f32());
    Ok(())
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
    files.extend(console::assemble(root, scratch, bundler, &url(&css_name))?);
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::bundle::tests::bundler;
    use super::{Files, Widget, assemble};

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("a leftover can be removed");
        }
        fs::create_dir_all(&folder).expect("the temporary folder is writable");
        folder
    }

    fn write(path: std::path::PathBuf, text: &str) {
        fs::create_dir_all(path.parent().expect("in a folder")).expect("writable");
        fs::write(path, text).expect("writable");
    }

    const GLUE: &str = "async function __wbg_init(m) {\n    m ??= new URL('checkout_bg.wasm', import.meta.url);\n}\n\
                        function initSync() {}\nexport { initSync, __wbg_init as default };\n";

    #[test]
    fn references_exist_and_changed_files_get_new_names() {
        let root = folder("assemble");
        let www = root.join("www");
        write(www.join("styles/checkout.css"), "a { color: red; }");
        write(
            www.join("checkout.html"),
            "<script>{{watchdog}}</script><link href=\"{{css}}\"><link href=\"{{wasm}}\"><script type=module src=\"{{js}}\"></script>",
        );
        write(www.join("watchdog.js"), "watch( ); // a note\n");
        write(www.join("claim.html"), "<style>{{style}}</style><script>{{script}}</script>");
        write(www.join("styles/claim.css"), "@import \"./checkout.css\";");
        write(www.join("claim.js"), "check( );\n");
        write(
            www.join("checkout.js"),
            "import init from 'checkout-widget';\nawait init({ module_or_path: WASM_URL });\n",
        );
        super::embed::tests::write_embed(&root);
        super::console::tests::write_console(&root);
        write(www.join("wallet/main.ts"), "ask( );\n");
        write(www.join("shop/shop.css"), "a { color: red; }");
        write(www.join("shop/shop.ts"), "open( );\n");
        let glue = www.join("bindgen/checkout.js");
        write(glue.clone(), GLUE);
        let make = |wasm: &[u8]| {
            let widget = Widget { glue: glue.clone(), wasm: wasm.to_vec() };
            assemble(&root, &root, &bundler(), &widget).expect("complete input")
        };

        let files = make(b"one");
        let page = String::from_utf8(files["checkout.html"].clone()).expect("text");
        let references: Vec<&str> = page.split('"').filter_map(|part| part.strip_prefix('/')).collect();
        assert_eq!(references.len(), 3, "{page}");
        assert!(page.starts_with("<script>(()=>{watch();})();</script>"), "{page}");
        for reference in references {
            assert!(files.contains_key(reference), "{reference} of {:?}", files.keys());
        }
        let claim = String::from_utf8(files["claim.html"].clone()).expect("text");
        assert_eq!(claim, "<style>a{color:red}\n</style><script>(()=>{check();})();</script>");
        assert_eq!(files["shop/shop.css"], b"a{color:red}\n");
        assert_eq!(files["shop/shop.js"], b"(()=>{open();})();\n");
        assert!(files.contains_key("embed.js") && files.contains_key("embed.d.ts"));

        let names = |files: &Files| {
            files.keys().filter(|name| name.starts_with("assets/checkout-")).cloned().collect::<Vec<_>>()
        };
        let (before, after) = (names(&files), names(&make(b"two")));
        let common: Vec<_> = before.iter().filter(|name| after.contains(name)).collect();
        assert_eq!(common.len(), 1, "only the style sheet keeps its name: {common:?}");
        fs::remove_dir_all(root).expect("was made above");
    }

    #[test]
    fn a_missing_page_is_reported() {
        let root = folder("missing");
        let widget = Widget { glue: root.join("none.js"), wasm: Vec::new() };
        let outcome = assemble(&root, &root, &bundler(), &widget);
        assert!(outcome.is_err_and(|sentence| sentence.contains("checkout.css")));
        fs::remove_dir_all(root).expect("was made above");
    }
}
