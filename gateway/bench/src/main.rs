//! `cargo xtask bench gateway`: the gateway as a process of its own under load, beside an empty axum handler (another
//! process) and beside bare durable inserts into a store of the same kind, in turns, so that what else the machine does
//! falls on all of them. Prints Markdown.
#![allow(clippy::print_stdout, reason = "the results are its output")]
#![allow(clippy::format_push_string, reason = "short texts, made before and after the measurement")]
#![allow(clippy::unwrap_used, reason = "a measurement that cannot be made ends with the reason")]

mod client;
mod empty;
mod figures;
mod inserts;
mod place;
mod seed;
mod subject;

use std::path::Path;
use std::time::Duration;

use self::client::Load;
use self::figures::{Figures, Row};
use self::place::{KINDS, Kind, Place};
use self::subject::{Empty, Gateway};

/// Rounds, of which the medians are shown.
const ROUNDS: usize = 5;

/// How long each load lasts in a round.
const TURN: Duration = Duration::from_secs(2);

/// Connections that ask at the same time.
const CONNECTIONS: usize = 32;

/// Connections on which a gateway changes a PostgreSQL.
const WRITERS: usize = 12;

/// How many payments are stored before it begins.
const STORED: [u64; 2] = [1_000, 1_000_000];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    match arguments.as_slice() {
        [word] if word == "--empty" => empty::serve(),
        [binary, folder] => runtime.block_on(run(Path::new(binary), Path::new(folder))),
        [binary, folder, word] if word == "--quick" => {
            runtime.block_on(look(Path::new(binary), Path::new(folder)));
        }
        _ => println!("usage: checkout-gateway-bench BINARY FOLDER [--quick]"),
    }
}

async fn run(binary: &Path, folder: &Path) {
    println!("{}", figures::machine(ROUNDS, TURN, CONNECTIONS));
    for kind in KINDS {
        let mut all = Vec::new();
        for stored in STORED {
            let place = Place::new(kind, folder);
            let figures = measure(binary, &place, kind, stored, ROUNDS).await;
            println!("{}, {stored} payments stored:\n\n{figures}", kind.name());
            all.push(figures);
        }
        println!("{}", figures::growth(kind.name(), &all[0], &all[1]));
    }
}

/// One short round on each store.
async fn look(binary: &Path, folder: &Path) {
    println!("{}", figures::machine(1, TURN, CONNECTIONS));
    for kind in KINDS {
        let figures = measure(binary, &Place::new(kind, folder), kind, STORED[0], 1).await;
        println!("{}:\n\n{figures}", kind.name());
    }
}

/// Every load in every round, in turns.
async fn measure(binary: &Path, place: &Place, kind: Kind, stored: u64, rounds: usize) -> Figures {
    seed::fill(binary, place, stored).await;
    inserts::prepare(place).await;
    let gateway = Gateway::start(binary, &place.url());
    let empty = Empty::start();
    let loads = subject::loads(&gateway, CONNECTIONS).await;
    let mut figures = Figures::default();
    for round in 0..rounds {
        let nothing = Load::empty(CONNECTIONS);
        figures.add(Row::Empty, subject::turn(empty.id(), &nothing, empty.address, round, TURN).await);
        for (row, load) in &loads {
            figures.add(*row, subject::turn(gateway.id(), load, gateway.address, round, TURN).await);
        }
        figures.add(Row::InsertEach, inserts::run(place, 1, 1, TURN).await);
        figures.add(Row::InsertBatched, inserts::run(place, 1, CONNECTIONS, TURN).await);
        if kind == Kind::Postgres {
            figures.add(Row::InsertBeside, inserts::run(place, WRITERS, 1, TURN).await);
        }
    }
    figures
}
