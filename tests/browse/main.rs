//! The program of `cargo xtask screens` and `cargo xtask bench page`: the real gateway and Chromium, driven as the journeys do.

#![allow(clippy::print_stdout, reason = "a command-line tool: its output is text on the terminal")]

mod bench;
mod desk;
mod pictures;
mod screens;
#[allow(dead_code, reason = "the journeys use the rest")]
#[path = "../e2e"]
mod e2e {
    pub(crate) mod support;
}

use std::path::Path;

use e2e::support;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["bench"] => bench::run(),
        ["screens", folder] => {
            screens::run(Path::new(folder));
            desk::run(Path::new(folder));
        }
        ["desk", folder] => desk::run(Path::new(folder)),
        ["pictures", folder] => pictures::run(Path::new(folder)),
        _ => panic!("usage: browse bench | browse screens, desk or pictures FOLDER"),
    }
}
