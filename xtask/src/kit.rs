//! Builds `target/kit`, the checkout as static files in front of any server of the interface, or `target/kit-debug` for tests.
//!
//! ```text
//! target/site ─ module ─────────────────────────────────────────────> assets/checkout-<hash>.wasm
//! www/checkout.js ─ www/kit/main.ts in place of the module ─────────> assets/checkout-<hash>.js
//! the same, with www/kit/inline/here.ts in place of `window` ────────> assets/inline-<hash>.js, and inline.js with its address
//! www/kit/kit.css, www/watchdog.js ─────────────────────────────────> assets/checkout-<hash>.css, assets/inline-<hash>.css,
//!                                                                    assets/watchdog-<hash>.js
//! widget/examples/kit_facts.rs ─ texts of each language ────────────> assets/<tag>-<hash>.json
//! www/kit/index.html ─ the page, with what the widget draws first ──> index.html
//! www/kit/checkout.json ─ the settings ─────────────────────────────> checkout.json
//! www/kit/embed.ts ─ the script for merchants' pages ───────────────> embed.js
//! www/embed/types.ts ─ its types ───────────────────────────────────> embed.d.ts
//! ```
//!
//! All addresses are relative to the page, so that the folder can lie anywhere on a web server.

mod inline;

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Map, Value, json};

use crate::files::{Files, replace};
use crate::site::bundle::Bundler;
use crate::site::{Widget, asset};
use crate::workspace::{Profile, TESTED, Workspace};
use crate::{Outcome, files, process, site};

/// A program of the widget that prints what the kit contains of it, compiled with the features of the tests.
const FACTS: &str = "kit_facts";

/// Requires the site of this profile. Returns the folder.
pub(crate) fn build(workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
    let facts = facts(workspace)?;
    let widget = site::widget(workspace, profile)?;
    let bundler = Bundler::find_or_install(workspace)?;
    let kit = assemble(workspace, &bundler, &facts, &widget)?;
    let folder = workspace.built("kit", profile);
    replace(&folder, &kit)?;
    println!("kit: {}", folder.display());
    Ok(folder)
}

fn facts(workspace: &Workspace) -> Outcome<Value> {
    let mut cargo = workspace.cargo();
    process::run(cargo.arg("build").args(TESTED).args(["--example", FACTS]))?;
    process::json(&mut Command::new(workspace.target.join("debug/examples").join(FACTS)))
}

fn assemble(workspace: &Workspace, bundler: &Bundler, facts: &Value, widget: &Widget) -> Outcome<Files> {
    let (scratch, www) = (workspace.scratch(), workspace.root.join("www"));
    let kit = www.join("kit");
    let mut all = Files::new();
    // All addresses are relative to the page.
    let mut add =
        |name: &str, ending: &str, content: Vec<u8>| [".", &asset(&mut all, name, ending, content)].concat();
    let text = |name: &str| {
        facts[name].as_str().map(str::to_owned).ok_or_else(|| format!("The facts have no {name}."))
    };
    let languages = facts["languages"].as_object().ok_or("The facts have no languages.")?;
    let texts: Map<String, Value> = languages
        .iter()
        .map(|(tag, texts)| (tag.clone(), add(tag, "json", texts.to_string().into_bytes()).into()))
        .collect();
    let css = bundler.style(&kit.join("kit.css"))?;
    let inline_css = add("inline", "css", inline::style(&css)?.into_bytes());
    let css = add("checkout", "css", css.into_bytes());
    let main = text("main")?;
    let known = scratch.join("kit-facts.json");
    let (pairs, contact) = (&facts["pairs"], &facts["contact"]);
    let found =
        json!({"TEXTS": texts, "CONTACT": contact, "PAIRS": pairs, "MAIN": main, "STYLE": inline_css});
    files::write(&known, found.to_string())?;
    let wasm = add("checkout", "wasm", widget.wasm.clone());
    let path = |path: PathBuf| path.display().to_string();
    let flags = [
        format!("--alias:checkout-widget={}", path(kit.join("main.ts"))),
        format!("--alias:widget-glue={}", widget.glue.display()),
        format!("--alias:kit-facts={}", known.display()),
        format!("--define:STYLE_URL={css:?}"),
        format!("--define:WASM_URL={wasm:?}"),
        // The script for wallets in the browser asks the gateway what to sign.
        "--define:WALLET_URL=\"\"".to_owned(),
    ];
    let inject = |file: &str| format!("--inject:{}", path(kit.join(file)));
    let js = bundler.module(&www.join("checkout.js"), &[&flags[..], &[inject("fetch.ts")]].concat())?;
    let names = ["globalThis", "self"].map(|name| format!("--define:{name}=window"));
    let here = [&[inject("inline/here.ts")], &names[..]].concat();
    let inline_js = bundler.module(&kit.join("inline/main.ts"), &[&flags[..], &here].concat())?;
    let inline_js = add("inline", "js", inline_js.into_bytes());
    let values = [
        ("js", add("checkout", "js", js.into_bytes())),
        ("css", css),
        ("watchdog", add("watchdog", "js", bundler.script(&www.join("watchdog.js"), &[])?.into_bytes())),
        ("wasm", wasm),
        ("title", text("title")?),
        ("main", main),
    ];
    let page = site::fill(&kit.join("index.html"), &values, &[])?;
    let embed = site::embed_script(&kit.join("embed.ts"), &www.join("embed/style.css"), &scratch, bundler)?;
    all.insert("embed.js".to_owned(), embed);
    all.insert("embed.d.ts".to_owned(), files::read(&www.join("embed/types.ts"))?);
    // A module at an address of its own for each page, which is imported anew for each.
    let each = format!("export const page=n=>import(\"{inline_js}?\"+n)\n");
    all.insert("inline.js".to_owned(), each.into_bytes());
    all.insert("index.html".to_owned(), page.into_bytes());
    all.insert("checkout.json".to_owned(), files::read(&kit.join("checkout.json"))?);
    Ok(all)
}
