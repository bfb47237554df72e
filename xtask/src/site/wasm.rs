//! WebAssembly: cargo compiles a package, wasm-opt optimises the module; wasm-bindgen writes the widget's script.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::compress;
use super::engines::WASM_FEATURES;
use crate::workspace::{Profile, Workspace};
use crate::{Outcome, files, process, setup};

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

const NAME: &str = "checkout";

/// The widget after wasm-bindgen and wasm-opt.
pub(crate) struct Widget {
    /// The path of the script that loads the module.
    pub(crate) glue: PathBuf,
    pub(crate) wasm: Vec<u8>,
}

/// Selects a small SHA-256 instead of a fast one, because the widget checks one address at a time.
const COMPACT: &[&str] = &["--cfg=sha2_backend=\"soft\"", "--cfg=sha2_backend_soft=\"compact\""];

/// Code without inlining is longer but compresses better. Which version is smaller depends on the code.
const WAYS: [&str; 2] = [
    "-Os",
    "-O3 --converge --skip-pass=inlining --skip-pass=inlining-optimizing --skip-pass=local-cse --skip-pass=simplify-locals \
     --skip-pass=memory-packing",
];

fn bound(workspace: &Workspace, profile: Profile) -> PathBuf {
    workspace.scratch().join(format!("bindgen-{}", cargo_profile(profile)))
}

fn cargo_profile(profile: Profile) -> &'static str {
    if profile == Profile::Release { "wasm-release" } else { "wasm-dev" }
}

/// The widget as the last build left it.
pub(crate) fn widget(workspace: &Workspace, profile: Profile) -> Outcome<Widget> {
    let glue = bound(workspace, profile).join(NAME).with_extension("js");
    Ok(Widget { wasm: files::read(&glue.with_extension("wasm"))?, glue })
}

pub(super) fn build(workspace: &Workspace, profile: Profile, wasm_bindgen: &Path) -> Outcome<Widget> {
    let module = compile(workspace, "checkout-widget", cargo_profile(profile), COMPACT)?;
    let folder = bound(workspace, profile);
    files::remove_folder(&folder)?;
    process::run(Command::new(wasm_bindgen).args([&module, &folder]).arg(NAME))?;
    if folder.join("snippets").exists() {
        return Err("The widget brings JavaScript of its own (`snippets`), which would be one more request."
            .to_owned());
    }
    let bound = folder.join(format!("{NAME}_bg.wasm"));
    let wasm = match profile {
        Profile::Release => smallest(workspace, &bound)?,
        Profile::Debug => files::read(&bound)?,
    };
    files::write(&folder.join(NAME).with_extension("wasm"), wasm)?;
    widget(workspace, profile)
}

/// The module or one of its wasm-opt results, whichever is smallest after compression.
fn smallest(workspace: &Workspace, module: &Path) -> Outcome<Vec<u8>> {
    let mut found = Vec::new();
    let optimised = WAYS.map(|way| optimised(workspace, module, way));
    for path in [Ok(module.to_owned())].into_iter().chain(optimised) {
        let content = files::read(&path?)?;
        found.push((compress::brotli(&content, compress::HIGHEST)?.len(), content));
    }
    found.sort();
    Ok(found.swap_remove(0).1)
}

/// Returns the path of the module.
pub(crate) fn compile(
    workspace: &Workspace,
    package: &str,
    profile: &str,
    rustc: &[&str],
) -> Outcome<PathBuf> {
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--lib", "--package", package, "--target", TARGET, "--profile", profile]);
    process::run(cargo.args(["--config", &workspace.rustflags(TARGET, rustc)]))?;
    let name = package.replace('-', "_") + ".wasm";
    Ok(workspace.target.join(TARGET).join(profile).join(name))
}

/// The module after wasm-opt, which takes some seconds: kept under a name that says what it was made from.
pub(crate) fn optimised(workspace: &Workspace, module: &Path, arguments: &str) -> Outcome<PathBuf> {
    let folder = workspace.scratch().join("wasm-opt");
    files::create_folder(&folder)?;
    let content = files::digest(&[files::read(module)?]);
    let features = WASM_FEATURES.map(|(flag, _)| flag);
    let made_from = [content.as_str(), setup::WASM_OPT_VERSION, arguments, &features.join(" ")];
    let optimised = folder.join(format!("{}.wasm", &files::digest(&made_from)[..16]));
    if !optimised.is_file() {
        let partial = optimised.with_extension("partial");
        let mut tool = Command::new(setup::wasm_opt(workspace)?);
        process::capture(tool.args(arguments.split(' ')).args(features).arg(module).arg("-o").arg(&partial))?;
        files::rename(&partial, &optimised)?;
    }
    Ok(optimised)
}
