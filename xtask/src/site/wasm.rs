//! The widget: cargo, wasm-bindgen, wasm-opt.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use sha2::{Digest, Sha256};

use super::compress;
use crate::outcome::Outcome;
use crate::setup::wasm_opt::WasmOpt;
use crate::workspace::{Profile, Workspace};
use crate::{files, process, wasm};

const NAME: &str = "checkout";

/// The widget after wasm-bindgen and wasm-opt.
pub(super) struct Widget {
    /// The path of the script that loads the module.
    pub(super) glue: PathBuf,
    pub(super) wasm: Vec<u8>,
}

/// Selects a small SHA-256 instead of a fast one, because the widget checks one address at a time.
const COMPACT: &[&str] = &["--cfg=sha2_backend=\"soft\"", "--cfg=sha2_backend_soft=\"compact\""];

struct Way {
    name: &'static str,
    arguments: &'static [&'static str],
}

/// Code without inlining is longer but compresses better. Which version is smaller depends on the code.
const WAYS: [Way; 2] = [
    Way { name: "inlined", arguments: &["-Os"] },
    Way {
        name: "called",
        arguments: &[
            "-O3",
            "--converge",
            "--skip-pass=inlining",
            "--skip-pass=inlining-optimizing",
            "--skip-pass=local-cse",
            "--skip-pass=simplify-locals",
            "--skip-pass=memory-packing",
        ],
    },
];

pub(super) fn build(
    workspace: &Workspace,
    profile: Profile,
    wasm_bindgen: &Path,
    wasm_opt: Option<&WasmOpt>,
) -> Outcome<Widget> {
    let cargo_profile = match profile {
        Profile::Release => "wasm-release",
        Profile::Debug => "wasm-dev",
    };
    let module = wasm::compile(workspace, "checkout-widget", cargo_profile, COMPACT)?;
    let folder = workspace.scratch().join(format!("bindgen-{cargo_profile}"));
    let made_from = origin(&module, wasm_bindgen, wasm_opt)?;
    if let Some(wasm) = Stored::at(&folder).read(&made_from) {
        return Ok(Widget { glue: folder.join(format!("{NAME}.js")), wasm });
    }
    files::remove_folder(&folder)?;
    process::run(Command::new(wasm_bindgen).args([&module, &folder]).arg(NAME))?;
    if folder.join("snippets").exists() {
        return Err(
            "The widget brings JavaScript files of its own (`snippets`): each would be one more request. \
                    Use web-sys or js-sys instead of `#[wasm_bindgen(inline_js)]` and `module = …`."
                .to_owned(),
        );
    }
    let wasm = smallest(&folder.join(format!("{NAME}_bg.wasm")), wasm_opt)?;
    let widget = Widget { glue: folder.join(format!("{NAME}.js")), wasm };
    Stored::at(&folder).write(&widget.wasm, &made_from)?;
    Ok(widget)
}

/// The inputs of the result: the module, the tools and their use.
fn origin(module: &Path, wasm_bindgen: &Path, wasm_opt: Option<&WasmOpt>) -> Outcome<String> {
    let content = files::read(module)?;
    // Its folder has the version in its name.
    let wasm_bindgen = wasm_bindgen.display();
    let wasm_opt = wasm_opt.map_or("none", |tool| &tool.version);
    let (module, code) = (
        hex::encode(Sha256::digest(content)),
        hex::encode(Sha256::digest(concat!(include_str!("wasm.rs"), include_str!("../wasm.rs")))),
    );
    Ok(format!("{module} {wasm_bindgen} wasm-opt {wasm_opt} xtask {code}"))
}

/// The optimised module of the last build, so that a change of a page does not optimise it again.
struct Stored {
    wasm: PathBuf,
    origin: PathBuf,
}

impl Stored {
    fn at(folder: &Path) -> Self {
        Self { wasm: folder.join("optimised.wasm"), origin: folder.join("origin") }
    }

    fn read(&self, origin: &str) -> Option<Vec<u8>> {
        let known = fs::read_to_string(&self.origin).ok()?;
        if known == origin { fs::read(&self.wasm).ok() } else { None }
    }

    fn write(&self, wasm: &[u8], origin: &str) -> Outcome<()> {
        files::write(&self.wasm, wasm)?;
        files::write(&self.origin, origin)
    }
}

/// Returns the module or its wasm-opt result, whichever is smallest after compression.
fn smallest(module: &Path, wasm_opt: Option<&WasmOpt>) -> Outcome<Vec<u8>> {
    let Some(tool) = wasm_opt else { return files::read(module) };
    let candidates = thread::scope(|scope| {
        let plain = scope.spawn(|| with_size(module));
        let optimised = WAYS.each_ref().map(|way| scope.spawn(move || optimise(module, tool, way)));
        [plain].into_iter().chain(optimised).map(joined).collect::<Vec<_>>()
    });
    let mut found = Vec::new();
    for candidate in candidates {
        match candidate {
            Ok(candidate) => found.push(candidate),
            Err(cause) => println!("site: continuing without wasm-opt: {cause}"),
        }
    }
    let smallest = found.into_iter().min_by_key(|(size, _)| *size);
    smallest.map(|(_, module)| module).ok_or_else(|| format!("{} cannot be read.", module.display()))
}

/// The compressed size and the content of a file.
fn with_size(module: &Path) -> Outcome<(usize, Vec<u8>)> {
    let content = files::read(module)?;
    Ok((compress::brotli(&content)?.len(), content))
}

fn optimise(module: &Path, tool: &WasmOpt, way: &Way) -> Outcome<(usize, Vec<u8>)> {
    let optimised = module.with_extension(format!("{}.wasm", way.name));
    wasm::optimise(&tool.binary, way.arguments, module, &optimised)?;
    with_size(&optimised)
}

fn joined<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().expect("a worker returns its faults")
}
