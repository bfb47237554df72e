//! `cargo xtask bench gateway`: the gateway as a separate process under load, compared with an empty axum
//! handler (another process) and with bare durable inserts into the same kind of store. They take turns, so
//! that other load on the machine affects all of them. Prints Markdown.
#![allow(clippy::print_stdout, reason = "the results are its output")]
#![allow(clippy::format_push_string, reason = "short texts, made before and after the measurement")]
#![allow(clippy::unwrap_used, reason = "a failed measurement ends with the reason")]

mod bare;
mod block;
mod client;
mod cost;
mod deposits;
mod empty;
mod figures;
mod life;
mod lists;
mod place;
mod scale;
mod seed;
mod subject;

use std::path::Path;
use std::time::Duration;

use self::client::Load;
use self::figures::{Figures, Row};
use self::place::{KINDS, Kind, Place};
use self::subject::{Empty, Gateway};

/// Rounds; the tables show their medians.
const ROUNDS: usize = 5;

/// Duration of each load in a round.
const TURN: Duration = Duration::from_secs(2);

/// Concurrent connections.
const CONNECTIONS: usize = 32;

/// A gateway's PostgreSQL connections for changes.
const WRITERS: usize = 12;

/// Its connections for reads.
const READERS: usize = 8;

/// Payments stored before a measurement.
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
        [binary, folder, word] if word == "--scale" => {
            runtime.block_on(scale::run(Path::new(binary), Path::new(folder)));
        }
        [binary, folder, word, payments] if word == "--lists" => {
            let payments = payments.parse().expect("a number of payments");
            runtime.block_on(lists::run(Path::new(binary), Path::new(folder), payments));
        }
        _ => println!("usage: checkout-gateway-bench BINARY FOLDER [--quick | --scale | --lists PAYMENTS]"),
    }
}

async fn run(binary: &Path, folder: &Path) {
    println!("{}", figures::machine(ROUNDS, TURN, CONNECTIONS));
    for kind in KINDS {
        let measured = measure(binary, folder, kind, &STORED, ROUNDS).await;
        for (stored, figures) in STORED.iter().zip(&measured) {
            println!("{}, {stored} payments stored:\n\n{figures}", kind.name());
        }
        let over = format!("{}, with a million payments stored", kind.name());
        println!("{}", figures::growth(&over, &measured[0], &measured[1]));
    }
    println!("{}", scale::several(binary, folder, ROUNDS).await);
}

/// One short round on each store.
async fn look(binary: &Path, folder: &Path) {
    println!("{}", figures::machine(1, TURN, CONNECTIONS));
    for kind in KINDS {
        let measured = measure(binary, folder, kind, &STORED[..1], 1).await;
        println!("{}:\n\n{}", kind.name(), measured[0]);
    }
}

/// A gateway with a database of this many payments.
struct Stage {
    place: Place,
    gateway: Gateway,
    loads: Vec<(Row, Load)>,
    figures: Figures,
}

impl Stage {
    async fn set(binary: &Path, folder: &Path, kind: Kind, stored: u64) -> Self {
        let place = Place::new(kind, folder);
        seed::fill(binary, &place, stored).await;
        bare::prepare(&place).await;
        let gateway = Gateway::start(binary, &place.url());
        let loads = subject::loads(&gateway, CONNECTIONS, "load").await;
        Self { place, gateway, loads, figures: Figures::default() }
    }
}

/// Runs every load in every round, in turns; first over few and then over many payments.
async fn measure(binary: &Path, folder: &Path, kind: Kind, stored: &[u64], rounds: usize) -> Vec<Figures> {
    let mut stages = Vec::new();
    for stored in stored {
        stages.push(Stage::set(binary, folder, kind, *stored).await);
    }
    let empty = Empty::start();
    for round in 0..rounds {
        for stage in &mut stages {
            let nothing = Load::empty(CONNECTIONS);
            stage
                .figures
                .add(Row::Empty, subject::turn(empty.id(), &nothing, empty.address, round, TURN).await);
        }
        for load in 0..stages[0].loads.len() {
            for Stage { gateway, loads, figures, .. } in &mut stages {
                let (row, load) = &loads[load];
                figures.add(*row, subject::turn(gateway.id(), load, gateway.address, round, TURN).await);
            }
        }
        for Stage { place, figures, .. } in &mut stages {
            figures.add(Row::InsertEach, bare::inserts(place, 1, 1, TURN).await);
            figures.add(Row::InsertBatched, bare::inserts(place, 1, CONNECTIONS, TURN).await);
            if kind == Kind::Postgres {
                figures.add(Row::Select, bare::selects(place, READERS, TURN).await);
                figures.add(Row::InsertBeside, bare::inserts(place, WRITERS, 1, TURN).await);
            }
        }
    }
    stages.into_iter().map(|stage| stage.figures).collect()
}
