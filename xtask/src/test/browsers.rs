//! The widget's own tests in browsers: those of its shell, compiled to WebAssembly, in three engines.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::counts::{Counts, counted};
use crate::setup::{self, Engine, Programs};
use crate::site::wasm;
use crate::step::Context;
use crate::workspace::Workspace;
use crate::{Outcome, files, process};

/// Seconds; a machine that compiles beside it is slow.
const TIMEOUT: &str = "120";

/// The variable in which cargo finds what runs a module.
const RUNNER: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER";

pub(super) fn widget(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    let workspace = context.workspace;
    let runner = setup::test_runner(workspace)?;
    process::run(tests(workspace, &runner).arg("--no-run"))?;
    let engines = [&setup::CHROMIUM, &setup::FIREFOX, &setup::WEBKIT];
    let outcomes: Vec<_> =
        engines.into_iter().map(|engine| run(workspace, &runner, engine, counts)).collect();
    outcomes.into_iter().collect()
}

fn tests(workspace: &Workspace, runner: &Path) -> Command {
    let mut cargo = workspace.cargo();
    cargo.args(["test", "--package", "checkout-widget", "--lib", "--target", wasm::TARGET]);
    cargo.env(RUNNER, runner);
    cargo
}

fn run(workspace: &Workspace, runner: &Path, engine: &Engine, counts: &mut Counts) -> Outcome<()> {
    println!("the widget in {}", engine.name);
    let programs = setup::for_browser_tests(workspace, engine)?;
    let capabilities = workspace.scratch().join(format!("webdriver-{}.json", engine.name));
    files::write(&capabilities, capabilities_of(&programs).to_string())?;
    let mut cargo = tests(workspace, runner);
    cargo.env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", &capabilities).env("WASM_BINDGEN_TEST_TIMEOUT", TIMEOUT);
    // It takes the first driver that it finds, by these names.
    for (ours, name) in DRIVERS {
        cargo.env_remove(name).env_remove(format!("{name}_REMOTE"));
        cargo.envs(programs.get(ours).map(|driver| (name, driver)));
    }
    // A screen in memory; cargo splits the variable at its spaces.
    if let Some(screen) = programs.get("CHECKOUT_XVFB_RUN") {
        cargo.env(RUNNER, format!("{} --auto-servernum {}", screen.display(), runner.display()));
    }
    counted(&mut cargo, counts).map_err(|_| format!("The widget's tests failed in {}.", engine.name))
}

/// Our variables, and those of the runner, which knows WebKitGTK's driver under the name of Safari's.
const DRIVERS: [(&str, &str); 3] = [
    ("CHECKOUT_CHROMEDRIVER", "CHROMEDRIVER"),
    ("CHECKOUT_GECKODRIVER", "GECKODRIVER"),
    ("CHECKOUT_WEBKITDRIVER", "SAFARIDRIVER"),
];

/// The `webdriver.json`. The driver of WebKitGTK starts its own browser.
fn capabilities_of(programs: &Programs) -> Value {
    if let Some(binary) = programs.get(setup::CHROMIUM_VARIABLE) {
        json!({"goog:chromeOptions": {"binary": binary, "args": ["disable-gpu"]}})
    } else if let Some(binary) = programs.get(setup::FIREFOX_VARIABLE) {
        json!({"moz:firefoxOptions": {"binary": binary, "args": []}})
    } else {
        json!({})
    }
}
