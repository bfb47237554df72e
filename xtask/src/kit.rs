//! Builds `target/kit`, the checkout as static files in front of any server of the interface, or `target/kit-debug` for tests.
//!
//! ```text
//! target/site ─ module ─────────────────────────────────────────────> assets/checkout-<hash>.wasm
//! www/checkout.js ─ www/kit/main.ts in place of the module ─────────> assets/checkout-<hash>.js
//! www/kit/kit.css, www/watchdog.js ─────────────────────────────────> assets/checkout-<hash>.css, assets/watchdog-<hash>.js
//! widget/examples/kit_facts.rs ─ texts of each language ────────────> assets/<tag>-<hash>.json
//! www/kit/index.html ─ the page, with what the widget draws first ──> index.html
//! www/kit/checkout.json ─ the settings ─────────────────────────────> checkout.json
//! target/site ─ the script for merchants' pages ────────────────────> embed.js
//! ```
//!
//! All addresses are relative to the page, so that the folder can lie anywhere on a web server.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value, json};

use crate::folder::{Files, hash, replace};
use crate::site::bundle::Bundler;
use crate::workspace::{Profile, TESTED, Workspace};
use crate::{Outcome, files, process, site};

/// A program of the widget that prints what the kit contains of it, compiled with the features of the tests.
const FACTS: &str = "kit_facts";

/// Requires the site of this profile. Returns the folder.
pub(crate) fn build(workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
    let facts = facts(workspace)?;
    let widget = site::widget(workspace, profile)?;
    let bundler = Bundler::find_or_install(workspace)?;
    let mut kit = assemble(&workspace.root.join("www"), &workspace.scratch(), &bundler, &facts, &widget)?;
    let embed = files::read(&workspace.site(profile).join("embed.js"))?;
    kit.insert("embed.js".to_owned(), embed);
    let folder = workspace.site(profile).with_file_name(match profile {
        Profile::Release => "kit",
        Profile::Debug => "kit-debug",
    });
    replace(&folder, &folder.with_extension("draft"), &kit)?;
    println!("kit: {}", folder.display());
    Ok(folder)
}

fn facts(workspace: &Workspace) -> Outcome<Value> {
    let mut cargo = workspace.cargo();
    process::run(cargo.arg("build").args(TESTED).args(["--example", FACTS]))?;
    let program = workspace.target.join("debug/examples").join(FACTS);
    let text = process::capture(&mut Command::new(&program))?;
    serde_json::from_str(&text).map_err(|error| format!("{FACTS} printed something else: {error}."))
}

fn assemble(
    www: &Path,
    scratch: &Path,
    bundler: &Bundler,
    facts: &Value,
    widget: &site::Widget,
) -> Outcome<Files> {
    let kit = www.join("kit");
    let mut assets = Assets::default();
    let languages = facts["languages"].as_object().ok_or("The facts have no languages.")?;
    let texts: Map<String, Value> = languages
        .iter()
        .map(|(tag, texts)| (tag.clone(), assets.add(tag, "json", texts.to_string().into_bytes()).into()))
        .collect();
    let known = scratch.join("kit-facts.json");
    files::write(&known, json!({"TEXTS": texts, "PAIRS": facts["pairs"]}).to_string())?;
    let wasm = assets.add("checkout", "wasm", widget.wasm.clone());
    let path = |path: PathBuf| path.display().to_string();
    let js = bundler.module(
        &www.join("checkout.js"),
        &[
            format!("--alias:checkout-widget={}", path(kit.join("main.ts"))),
            format!("--alias:widget-glue={}", widget.glue.display()),
            format!("--alias:kit-facts={}", known.display()),
            format!("--inject:{}", path(kit.join("fetch.ts"))),
            format!("--define:WASM_URL={wasm:?}"),
            // The script for wallets in the browser asks the gateway what to sign.
            "--define:WALLET_URL=\"\"".to_owned(),
        ],
    )?;
    let values = [
        ("js", assets.add("checkout", "js", js.into_bytes())),
        ("css", assets.add("checkout", "css", bundler.style(&kit.join("kit.css"))?.into_bytes())),
        (
            "watchdog",
            assets.add("watchdog", "js", bundler.script(&www.join("watchdog.js"), &[])?.into_bytes()),
        ),
        ("wasm", wasm),
        ("title", text_of(facts, "title")?),
        ("main", text_of(facts, "main")?),
    ];
    let page = site::fill(&kit.join("index.html"), &values, &[])?;
    let mut all = assets.0;
    all.insert("index.html".to_owned(), page.into_bytes());
    all.insert("checkout.json".to_owned(), files::read(&kit.join("checkout.json"))?);
    Ok(all)
}

fn text_of(facts: &Value, name: &str) -> Outcome<String> {
    facts[name].as_str().map(str::to_owned).ok_or_else(|| format!("The facts have no {name}."))
}

/// Files whose content never changes under their name.
#[derive(Default)]
struct Assets(Files);

impl Assets {
    /// Returns the address, relative to the page.
    fn add(&mut self, name: &str, ending: &str, content: Vec<u8>) -> String {
        let path = format!("assets/{name}-{}.{ending}", hash(&content));
        self.0.insert(path.clone(), content);
        format!("./{path}")
    }
}
