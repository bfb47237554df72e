//! Every parser of the core under libFuzzer: one row per target.
//!
//! `cargo xtask fuzz` controls this program through the environment:
//!
//! | variable | effect |
//! |---|---|
//! | `CHECKOUT_FUZZ_TARGET=<name>` | libFuzzer runs this target, with its own arguments |
//! | `CHECKOUT_FUZZ_SEEDS=<folder>` | the target's seeds are written there instead |
//! | neither | the names of the targets are printed |

#![no_main]

mod seeds;
mod targets;
mod text;

use std::process::exit;
use std::sync::OnceLock;
use std::{env, fs, path::PathBuf};

use libfuzzer_sys::fuzz_target;
use targets::{TARGETS, Target};

static TARGET: OnceLock<&Target> = OnceLock::new();

fuzz_target!(
    init: choose(),
    |data: &[u8]| {
        (TARGET.get().expect("it was chosen before the first input").run)(data);
    }
);

fn choose() {
    let Ok(name) = env::var("CHECKOUT_FUZZ_TARGET") else {
        for target in TARGETS {
            println!("{:<14} {}", target.name, target.about);
        }
        exit(0);
    };
    let Some(target) = TARGETS.iter().find(|target| target.name == name) else {
        eprintln!("There is no fuzz target `{name}`.");
        exit(2);
    };
    if let Some(folder) = env::var_os("CHECKOUT_FUZZ_SEEDS").map(PathBuf::from) {
        for (number, seed) in (target.seeds)().into_iter().enumerate() {
            fs::write(folder.join(format!("seed-{number:05}")), seed).expect("the folder can be written");
        }
        exit(0);
    }
    TARGET.set(target).unwrap_or_else(|_| unreachable!("this is called once"));
}
