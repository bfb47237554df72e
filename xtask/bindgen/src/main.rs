//! `xtask-bindgen <module> <folder> <name>`: writes `<folder>/<name>.js` and `<folder>/<name>_bg.wasm`, which a page loads.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder, name] = arguments.as_slice() else {
        eprintln!("usage: xtask-bindgen <module> <folder> <name>");
        return ExitCode::from(2);
    };
    match bind(module.as_ref(), folder.as_ref(), name) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{module}: {error:?}");
            ExitCode::FAILURE
        }
    }
}

fn bind(module: &Path, folder: &Path, name: &str) -> Result<(), Box<dyn Error>> {
    let mut bindgen = Bindgen::new();
    bindgen.web(true)?.typescript(false).remove_name_section(true).remove_producers_section(true);
    Ok(bindgen.input_path(module).out_name(name).generate(folder)?)
}
