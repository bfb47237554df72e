//! From turns to a table: medians over the rounds, ratios within each round.

use std::fmt;
use std::time::Duration;

use crate::client::Turn;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    Empty,
    Poll,
    Get,
    Post,
    Patch,
    Select,
    InsertEach,
    InsertBatched,
    InsertBeside,
}

/// Every row, its name, and the row that it is compared with.
const ROWS: [(Row, &str, Option<Row>); 9] = [
    (Row::Empty, "empty axum handler", None),
    (Row::Poll, "poll answered 304", Some(Row::Empty)),
    (Row::Get, "GET payment", Some(Row::Empty)),
    (Row::Post, "POST payments", Some(Row::InsertEach)),
    (Row::Patch, "PATCH payment, a new quote", Some(Row::InsertEach)),
    (Row::Select, "bare read of a row by its key, 8 connections", None),
    (Row::InsertEach, "bare insert, one row per transaction", None),
    (Row::InsertBatched, "bare insert, 32 rows per transaction", None),
    (Row::InsertBeside, "bare insert, one row per transaction, 12 connections", None),
];

/// The turns of each row, round by round.
#[derive(Default)]
pub(crate) struct Figures(Vec<(Row, Turn)>);

impl Figures {
    pub(crate) fn add(&mut self, row: Row, turn: Turn) {
        self.0.push((row, turn));
    }

    fn rates(&self, row: Row) -> Vec<f64> {
        self.0.iter().filter(|(known, _)| *known == row).map(|(_, turn)| turn.per_second).collect()
    }

    fn processor(&self, row: Row) -> Option<f64> {
        let turns = self.0.iter().filter(|(known, _)| *known == row);
        let all: Vec<f64> = turns.filter_map(|(_, turn)| turn.processor).collect();
        (!all.is_empty()).then(|| median(all))
    }

    fn percentile(&self, row: Row, percent: usize) -> u64 {
        let turns = self.0.iter().filter(|(known, _)| *known == row);
        let mut all: Vec<u64> = turns.flat_map(|(_, turn)| turn.micros.iter().copied()).collect();
        all.sort_unstable();
        all[(all.len() - 1) * percent / 100]
    }
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn ratio(of: &[f64], to: &[f64]) -> f64 {
    median(of.iter().zip(to).map(|(of, to)| of / to).collect())
}

pub(crate) fn name(row: Row) -> &'static str {
    ROWS.iter().find(|(known, ..)| *known == row).map_or("", |(_, name, _)| name)
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| | per second | p50 | p99 | processor time | beside |\n|---|---|---|---|---|---|")?;
        for (row, name_of, beside) in ROWS {
            let rates = self.rates(row);
            if rates.is_empty() {
                continue;
            }
            let millis = |percent| {
                let micros = self.percentile(row, percent);
                format!("{}.{:02} ms", micros / 1_000, micros % 1_000 / 10)
            };
            let beside = beside.map_or_else(String::new, |other| {
                format!("{:.2} × {}", ratio(&rates, &self.rates(other)), name(other))
            });
            let processor = self.processor(row).map_or_else(String::new, |micros| format!("{micros:.1} µs"));
            writeln!(
                f,
                "| {name_of} | {:.0} | {} | {} | {processor} | {beside} |",
                median(rates),
                millis(50),
                millis(99)
            )?;
        }
        Ok(())
    }
}

/// The cost of many stored payments: the same load in the same round, in turns.
pub(crate) fn growth(over: &str, few: &Figures, many: &Figures) -> String {
    let mut text =
        format!("| {over} | of the rate with a thousand alone | of its processor time |\n|---|---|---|\n");
    for row in [Row::Poll, Row::Get, Row::Post, Row::Patch] {
        let rate = ratio(&many.rates(row), &few.rates(row)) * 100.0;
        let processor =
            many.processor(row).zip(few.processor(row)).map_or(f64::NAN, |(many, few)| many / few * 100.0);
        text += &format!("| {} | {rate:.0} % | {processor:.0} % |\n", name(row));
    }
    text
}

pub(crate) fn machine(rounds: usize, turn: Duration, connections: usize) -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let cpu = read("/proc/cpuinfo");
    let cpu = cpu.lines().find_map(|line| line.strip_prefix("model name\t: ")).unwrap_or("unknown processor");
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let kernel = read("/proc/sys/kernel/osrelease");
    let load = read("/proc/loadavg");
    format!(
        "{cpu}, {cores} cores, Linux {}; load before {}. {connections} connections, medians of {rounds} rounds of {} s.\n",
        kernel.trim().split('-').next().unwrap_or_default(),
        load.split(' ').next().unwrap_or_default(),
        turn.as_secs()
    )
}
