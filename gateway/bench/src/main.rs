//! `cargo xtask bench gateway`: the gateway as a process of its own under load, beside an empty axum handler (another
//! process) and beside bare durable inserts into a file of the same kind, in turns, so that what else the machine does
//! falls on all of them. Prints Markdown.
#![allow(clippy::print_stdout, reason = "the results are its output")]
#![allow(clippy::format_push_string, reason = "short texts, made before and after the measurement")]
#![allow(clippy::unwrap_used, reason = "a measurement that cannot be made ends with the reason")]

mod client;
mod empty;
mod figures;
mod inserts;
mod seed;
mod subject;

use std::path::{Path, PathBuf};
use std::time::Duration;

use self::client::Load;
use self::figures::{Figures, Row};
use self::subject::{Empty, Gateway};

/// Rounds, of which the medians are shown.
const ROUNDS: usize = 5;

/// How long each load lasts in a round.
const TURN: Duration = Duration::from_secs(2);

/// Connections that ask at the same time.
const CONNECTIONS: usize = 32;

/// How many payments are stored before it begins.
const STORED: [u64; 2] = [1_000, 1_000_000];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    match arguments.as_slice() {
        [word] if word == "--empty" => empty::serve(),
        [binary, folder] => runtime.block_on(run(Path::new(binary), Path::new(folder))),
        _ => println!("usage: checkout-gateway-bench BINARY FOLDER"),
    }
}

async fn run(binary: &Path, folder: &Path) {
    println!("{}", figures::machine(ROUNDS, TURN, CONNECTIONS));
    let mut all = Vec::new();
    for stored in STORED {
        let place = tempfile::tempdir_in(folder).unwrap();
        let figures = measure(binary, place.path(), stored).await;
        println!("SQLite, {stored} payments stored:\n\n{figures}");
        all.push(figures);
    }
    println!("{}", figures::growth(&all[0], &all[1]));
}

/// Every load in every round, in turns.
async fn measure(binary: &Path, folder: &Path, stored: u64) -> Figures {
    let database = format!("sqlite:{}", folder.join("checkout.db").display());
    seed::fill(binary, &database, stored).await;
    let gateway = Gateway::start(binary, &database);
    let empty = Empty::start();
    let loads = subject::loads(&gateway, CONNECTIONS).await;
    let bare: PathBuf = folder.join("bare.db");
    let mut figures = Figures::default();
    for round in 0..ROUNDS {
        figures.add(Row::Empty, Load::empty(CONNECTIONS).run(empty.address, round, TURN).await);
        for (row, load) in &loads {
            figures.add(*row, load.run(gateway.address, round, TURN).await);
        }
        figures.add(Row::InsertEach, inserts::run(&bare, 1, TURN).await);
        figures.add(Row::InsertBatched, inserts::run(&bare, CONNECTIONS, TURN).await);
    }
    figures
}
