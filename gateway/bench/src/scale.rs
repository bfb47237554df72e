//! `cargo xtask bench scale`: what each request costs on both stores, what follows for more payments, and one to four gateways
//! over one PostgreSQL.

use std::path::Path;
use std::time::{Duration, Instant};

use futures::future::join_all;

use crate::cost::{Cost, Counters};
use crate::figures::{self, Row, median, name};
use crate::place::{KINDS, Kind, Place};
use crate::subject::{self, Gateway};
use crate::{CONNECTIONS, TURN, block, deposits, life, seed};

const ROUNDS: usize = 3;

/// Payments that are stored.
const STORED: u64 = 1_000;

const GATEWAYS: [usize; 3] = [1, 2, 4];

/// How long the work of a gateway without requests is measured.
const IDLE: Duration = Duration::from_secs(10);

/// Whole payments, from the request to the callback.
const LIVES: usize = 300;

/// Payments a minute in the last table, and payers that wait for each.
const STEPS: [f64; 3] = [10.0, 1_000.0, 100_000.0];
const WAITING: f64 = 10.0;

/// Seconds between two polls of a page that waits.
const POLL_EVERY: f64 = 5.0;

/// Cores of a machine, and how much of them is used at most.
const CORES: f64 = 8.0;
const USED: f64 = 0.5;

pub(crate) async fn run(binary: &Path, folder: &Path) {
    println!("{}", figures::machine(ROUNDS, TURN, CONNECTIONS));
    let mut costs = Vec::new();
    for kind in KINDS {
        costs.push((kind, requests(binary, folder, kind).await));
    }
    for (kind, costs) in &costs {
        println!("{}", table(*kind, costs));
    }
    if let Some((_, costs)) = costs.iter().find(|(kind, _)| *kind == Kind::Postgres) {
        println!("{}", steps(costs));
    }
    println!("{}", several(binary, folder, ROUNDS).await);
    println!("{}", block::table(binary, folder).await);
    println!("{}", deposits::table(binary, folder).await);
}

struct Costs {
    rows: Vec<(Row, Cost)>,
    /// A whole payment, and what it leaves on the disk.
    life: Cost,
    stored: f64,
}

async fn requests(binary: &Path, folder: &Path, kind: Kind) -> Costs {
    let place = Place::new(kind, folder);
    seed::fill(binary, &place, STORED).await;
    let gateway = Gateway::start(binary, &place.url());
    let mut connection = place.connect().await;
    let mut rows = Vec::new();
    for (row, load) in subject::loads(&gateway, CONNECTIONS, "cost").await {
        let mut each = Vec::new();
        for round in 0..ROUNDS {
            let before = Counters::read(&place, &mut connection, &[gateway.id()]).await;
            let turn = load.run(gateway.address, round, TURN).await;
            let after = Counters::read(&place, &mut connection, &[gateway.id()]).await;
            each.push(after.each(before, turn.micros.len()));
        }
        let middle = |part: fn(&Cost) -> f64| median(each.iter().map(part).collect());
        let cost = Cost {
            gateway: middle(|cost| cost.gateway),
            database: middle(|cost| cost.database),
            bytes: middle(|cost| cost.bytes),
        };
        rows.push((row, cost));
    }
    let size = connection.size(&place).await;
    let before = Counters::read(&place, &mut connection, &[gateway.id()]).await;
    let started = Instant::now();
    life::live(&gateway, LIVES).await;
    let after = Counters::read(&place, &mut connection, &[gateway.id()]).await;
    let took = started.elapsed();
    tokio::time::sleep(IDLE).await;
    let rest = Counters::read(&place, &mut connection, &[gateway.id()]).await;
    let idle = rest.each(after, LIVES).times(took.as_secs_f64() / IDLE.as_secs_f64());
    let life = after.each(before, LIVES).less(idle);
    #[expect(clippy::cast_precision_loss, reason = "a mean")]
    let stored = connection.size(&place).await.saturating_sub(size) as f64 / LIVES as f64;
    Costs { rows, life, stored }
}

fn table(kind: Kind, costs: &Costs) -> String {
    let mut text =
        format!("| {}, for each | gateway | database | written |\n|---|---|---|---|\n", kind.name());
    let rows = costs.rows.iter().map(|(row, cost)| (name(*row), cost));
    for (name, cost) in rows.chain([("whole payment, five requests and a callback", &costs.life)]) {
        let database = match kind {
            Kind::Sqlite => "in the gateway".to_owned(),
            Kind::Postgres => format!("{:.0} µs", cost.database),
        };
        text += &format!("| {name} | {:.0} µs | {database} | {:.1} KB |\n", cost.gateway, cost.bytes / 1e3);
    }
    text + &format!("\nA whole payment leaves {:.1} KB on the disk.\n", costs.stored / 1e3)
}

/// Estimates for more payments: cores from the costs, machines from the cores.
fn steps(costs: &Costs) -> String {
    let poll =
        costs.rows.iter().find(|(row, _)| *row == Row::Poll).map_or(Cost::default(), |(_, cost)| *cost);
    let mut text = String::from(
        "| payments a minute | polls a second | gateways' cores | gateways | PostgreSQL's cores | log a second | disk a year |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for payments in STEPS {
        let (polls, lives) = (payments * WAITING / POLL_EVERY, payments / 60.0);
        let cores = |each: fn(&Cost) -> f64| (polls * each(&poll) + lives * each(&costs.life)) / 1e6;
        let (gateway, database) = (cores(|cost| cost.gateway), cores(|cost| cost.database));
        let log = lives * costs.life.bytes / 1e6;
        let year = payments * 525_600.0 * costs.stored / 1e9;
        let machines = (gateway / CORES / USED).ceil().max(2.0);
        text += &format!(
            "| {payments:.0} | {polls:.0} | {gateway:.3} | {machines:.0} | {database:.3} | {log:.3} MB | {} |\n",
            if year < 1e3 { format!("{year:.0} GB") } else { format!("{:.1} TB", year / 1e3) }
        );
    }
    text
}

/// One, two and four gateways over one PostgreSQL: requests a second of all together, and costs of each request.
pub(crate) async fn several(binary: &Path, folder: &Path, rounds: usize) -> String {
    let place = Place::new(Kind::Postgres, folder);
    seed::fill(binary, &place, STORED).await;
    let mut connection = place.connect().await;
    let mut gateways = Vec::new();
    for _ in 0..*GATEWAYS.iter().max().unwrap_or(&1) {
        gateways.push(Gateway::start(binary, &place.url()));
    }
    let mut loads = Vec::new();
    for count in GATEWAYS {
        let each = CONNECTIONS / count;
        let made = gateways[..count].iter().enumerate().map(async |(number, gateway)| {
            subject::loads(gateway, each, &format!("several-{count}-{number}")).await
        });
        loads.push(join_all(made).await);
    }
    let mut text = String::from(
        "| PostgreSQL | gateways | per second | p99 | gateways, for each request | database, for each request |\n\
         |---|---|---|---|---|---|\n",
    );
    for row in 0..loads[0][0].len() {
        let mut turns: Vec<Vec<(f64, u64, Cost)>> = vec![Vec::new(); GATEWAYS.len()];
        for round in 0..rounds {
            for (at, count) in GATEWAYS.into_iter().enumerate() {
                let ids: Vec<u32> = gateways[..count].iter().map(Gateway::id).collect();
                let before = Counters::read(&place, &mut connection, &ids).await;
                let running = gateways[..count]
                    .iter()
                    .zip(&loads[at])
                    .map(|(gateway, loads)| loads[row].1.run(gateway.address, round, TURN));
                let done = join_all(running).await;
                let mut micros: Vec<u64> = done.iter().flat_map(|turn| turn.micros.clone()).collect();
                let after = Counters::read(&place, &mut connection, &ids).await;
                micros.sort_unstable();
                let p99 = micros[(micros.len() - 1) * 99 / 100];
                let rate = done.iter().map(|turn| turn.per_second).sum();
                turns[at].push((rate, p99, after.each(before, micros.len())));
            }
        }
        for (count, turns) in GATEWAYS.into_iter().zip(turns) {
            let middle = |part: fn(&(f64, u64, Cost)) -> f64| median(turns.iter().map(part).collect());
            #[expect(clippy::cast_precision_loss, reason = "milliseconds")]
            let p99 = middle(|(_, p99, _)| *p99 as f64) / 1e3;
            text += &format!(
                "| {} | {count} | {:.0} | {p99:.1} ms | {:.0} µs | {:.0} µs |\n",
                name(loads[0][0][row].0),
                middle(|(rate, ..)| *rate),
                middle(|(.., cost)| cost.gateway),
                middle(|(.., cost)| cost.database),
            );
        }
    }
    text
}
