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
use crate::files::{Files, hash, read_all};
use crate::{Outcome, files};

/// `embed.js` contains its style sheet; `embed.d.ts` is the module of types unchanged.
pub(super) fn assemble(folder: &Path, scratch: &Path, bundler: &Bundler) -> Outcome<Files> {
    let script = script(&folder.join("main.ts"), &folder.join("style.css"), scratch, bundler)?;
    let types = files::read(&folder.join("types.ts"))?;
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

/// `entry` with its imports and the style of the element.
pub(crate) fn script(entry: &Path, style: &Path, scratch: &Path, bundler: &Bundler) -> Outcome<Vec<u8>> {
    let minified = scratch.join("embed.css");
    files::write(&minified, bundler.style(style)?)?;
    let style = [format!("--alias:style={}", minified.display()), "--loader:.css=text".to_owned()];
    Ok(bundler.script(entry, &style)?.into_bytes())
}

fn name(version: &str, script: &[u8]) -> String {
    format!("assets/embed-{version}-{}.js", hash(script))
}

/// The scripts of earlier releases, which pages load with their digests.
fn released(folder: &Path) -> Outcome<Files> {
    let mut all = Files::new();
    for (file, script) in read_all(folder)? {
        let Some(stem) = file.strip_suffix(".js") else { continue };
        let expected = name(stem.split('-').nth(1).unwrap_or_default(), &script);
        if expected != format!("assets/{file}") {
            return Err(format!("{file}: a released script never changes; its name should be {expected}."));
        }
        all.insert(expected, script);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_released_script_never_changes() {
        let folder = std::env::temp_dir().join(format!("xtask-released-{}", std::process::id()));
        let old = name("0.0.9", b"old");
        let place = folder.join(old.strip_prefix("assets/").expect("an asset"));
        files::write(&place, "old").expect("writable");
        assert_eq!(released(&folder), Ok(Files::from([(old, b"old".to_vec())])));
        files::write(&place, "changed").expect("writable");
        assert!(released(&folder).is_err_and(|refused| refused.contains("never changes")));
        files::remove_folder(&folder).expect("was made above");
    }
}
