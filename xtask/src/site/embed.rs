//! Builds the script for merchants' pages and its types.
//!
//! | file | content |
//! |---|---|
//! | `embed.js`, `embed.d.ts` | the newest script, and its types |
//! | `assets/embed-<version>-<hash>.js` | the same script at an address whose content never changes, and each of `www/embed/released/` |
//! | `embed.json` | the address of the newest one, and its digest |

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sha2::{Digest, Sha384};

use super::bundle::Bundler;
use crate::folder::{Files, hash};
use crate::{Outcome, files};

/// `embed.js` contains its style sheet; `embed.d.ts` is the module of types unchanged.
pub(super) fn assemble(folder: &Path, scratch: &Path, bundler: &Bundler) -> Outcome<Files> {
    let style = scratch.join("embed.css");
    files::write(&style, bundler.style(&folder.join("style.css"))?)?;
    let style = [format!("--alias:style={}", style.display()), "--loader:.css=text".to_owned()];
    let script = bundler.script(&folder.join("main.ts"), &style)?.into_bytes();
    let types = folder.join("types.ts");
    let types = files::read(&types)?;
    let newest = name(env!("CARGO_PKG_VERSION"), &script);
    let manifest = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "script": format!("/{newest}"),
        "integrity": format!("sha384-{}", STANDARD.encode(Sha384::digest(&script))),
    });
    let mut all = released(&folder.join("released"))?;
    all.extend([
        (newest, script.clone()),
        ("embed.js".to_owned(), script),
        ("embed.json".to_owned(), format!("{manifest:#}\n").into_bytes()),
        ("embed.d.ts".to_owned(), types),
    ]);
    Ok(all)
}

fn name(version: &str, script: &[u8]) -> String {
    format!("assets/embed-{version}-{}.js", hash(script))
}

/// The scripts of earlier releases, which pages load with their digests.
fn released(folder: &Path) -> Outcome<Files> {
    let mut all = Files::new();
    for path in files::entries(folder).unwrap_or_default() {
        let file = files::name_of(&path);
        if path.extension().is_none_or(|ending| ending != "js") {
            continue;
        }
        let script = files::read(&path)?;
        let version = file.split('-').nth(1).unwrap_or_default();
        let expected = name(version, &script);
        if expected != format!("assets/{file}") {
            return Err(format!(
                "{}: a released script never changes; its name should be {expected}.",
                path.display()
            ));
        }
        all.insert(expected, script);
    }
    Ok(all)
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::Value;

    use std::fs;

    use super::super::bundle::tests::bundler;
    use super::*;

    /// A custom element with two modules and a style sheet.
    pub(crate) fn write_embed(root: &Path) {
        let folder = root.join("www/embed");
        fs::create_dir_all(&folder).expect("writable");
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("writable");
        write("main.ts", "import { run } from \"./run\";\nimport css from \"style\";\nrun(css);\n");
        write("run.ts", "export const run = (css: string): void => console.log(css); // loader\n");
        write("style.css", ":host { display: block; }\n");
        write("types.ts", "export interface Element {}\n");
    }

    #[test]
    fn an_address_with_a_version_has_the_digest_of_its_content() {
        let root = std::env::temp_dir().join(format!("xtask-embed-version-{}", std::process::id()));
        write_embed(&root);
        let folder = root.join("www/embed");
        let files = assemble(&folder, &root, &bundler()).expect("complete input");
        let manifest: Value = serde_json::from_slice(&files["embed.json"]).expect("JSON");
        let script = manifest["script"].as_str().and_then(|path| path.strip_prefix('/')).expect("a path");
        assert_eq!(files[script], files["embed.js"]);
        assert!(script.starts_with(concat!("assets/embed-", env!("CARGO_PKG_VERSION"), "-")), "{script}");
        let digest = format!("sha384-{}", STANDARD.encode(Sha384::digest(&files["embed.js"])));
        assert_eq!(manifest["integrity"], digest);

        let old = name("0.0.9", b"old");
        let released = folder.join("released");
        fs::create_dir_all(&released).expect("writable");
        let place = released.join(old.strip_prefix("assets/").expect("an asset"));
        fs::write(&place, "old").expect("writable");
        assert_eq!(assemble(&folder, &root, &bundler()).expect("complete input")[&old], b"old");
        fs::write(&place, "changed").expect("writable");
        let refused = assemble(&folder, &root, &bundler()).expect_err("changed after its release");
        assert!(refused.contains("never changes"), "{refused}");
        fs::remove_dir_all(root).expect("was made above");
    }
}
