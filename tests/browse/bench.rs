//! The page on a payer's phone: 150 ms, 1.6 Mbit/s, a processor four times as slow, nothing cached.

use serde_json::{Value, json};

use crate::support::gateway::order;
use crate::support::stage::journey;
use crate::support::wait::eventually;

const RUNS: usize = 5;

/// Runs before the page's own script. The QR code counts as painted in the frame after it stands in the document.
const WATCH: &str = "(() => {
    const seen = { qr: null, works: null, longTasks: 0, shift: 0 };
    window.seen = seen;
    new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) seen.longTasks += duration - 50;
    }).observe({ type: 'longtask', buffered: true });
    new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) seen.shift += value;
    }).observe({ type: 'layout-shift', buffered: true });
    const look = () => {
        const now = performance.now();
        if (seen.qr === null && document.querySelector('[data-part=qr] svg')) {
            requestAnimationFrame((after) => { seen.qr = after; });
        }
        if (seen.works === null && document.documentElement?.dataset.live === 'yes') seen.works = now;
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})();";

const READ: &str = "
    const [page] = performance.getEntriesByType('navigation');
    const all = [page, ...performance.getEntriesByType('resource')];
    const until = all.filter((one) => one.responseEnd <= seen.works);
    const bytes = (some) => some.reduce((sum, one) => sum + one.encodedBodySize, 0);
    return {...seen, first: page.encodedBodySize, untilRequests: until.length, until: bytes(until), requests: all.length,
        bytes: bytes(all)};";

/// A row of the table: the name, the field, its unit, the limit and the best peer.
type Row = (&'static str, &'static str, &'static str, f64, &'static str);

const ROWS: [Row; 9] = [
    ("QR code painted", "qr", "ms", 350.0, "2,060 ms (BTCPay), 1,117 ms (a bare Leptos page)"),
    ("works: the countdown runs, copying reacts", "works", "ms", 1_100.0, "–"),
    ("first response", "first", "bytes", 14_000.0, "–"),
    ("until it works, one language", "until", "bytes", 120_000.0, "–"),
    ("all of it, one language", "bytes", "bytes", 175_000.0, "204,000 bytes (BTCPay)"),
    ("requests until it works", "untilRequests", "", 3.0, "–"),
    ("requests", "requests", "", 6.0, "16 (Bitcart), 27 (BTCPay)"),
    ("long tasks, above 50 ms each", "longTasks", "ms", 100.0, "472 ms (BTCPay)"),
    ("layout shift", "shift", "", 0.02, "0.005 (BTCPay)"),
];

pub(crate) fn run() {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("unknown");
    let runs: Vec<Value> = (0..RUNS).map(|_| one()).collect();
    println!(
        "Chromium, 150 ms, 1.6 Mbit/s, processor ÷ 4, 360 px, nothing cached; load of the machine before {load}. \
         Medians of {RUNS} runs.\n"
    );
    println!("| | measured | limit | | best peer |\n|---|---|---|---|---|");
    for (name, field, unit, limit, peer) in ROWS {
        let mut values: Vec<f64> = runs.iter().map(|run| run[field].as_f64().expect(field)).collect();
        values.sort_by(f64::total_cmp);
        let median = values[RUNS / 2];
        let verdict = if median <= limit { "held" } else { "**missed**" };
        println!("| {name} | {} | {} | {verdict} | {peer} |", shown(median, unit), shown(limit, unit));
    }
}

fn shown(value: f64, unit: &str) -> String {
    if unit.is_empty() && value.fract() != 0.0 {
        return format!("{value:.3}");
    }
    format!("{value:.0} {unit}").trim_end().to_owned()
}

/// One payment that waits for its money, opened by a new browser.
fn one() -> Value {
    let mut measured = Value::Null;
    let out = &mut measured;
    journey(async |stage| {
        // Without the logo of the demo shop.
        stage.gateway.become_business(&[]);
        let created = stage.gateway.create(&order());
        stage.gateway.choose(&created.payment_info.payment_id, "BTC");
        let browser = stage.browser;
        browser.goto("about:blank").await;
        // 360 px, and the QR code unfolded.
        let screen = json!({"width": 360, "height": 800, "mobile": true, "deviceScaleFactor": 2});
        browser.devtools("Emulation.setDeviceMetricsOverride", screen).await;
        browser.before_every_page(WATCH).await;
        browser.devtools("Network.enable", json!({})).await;
        let line = json!({"offline": false, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000});
        browser.devtools("Network.emulateNetworkConditions", line).await;
        browser.devtools("Emulation.setCPUThrottlingRate", json!({"rate": 4})).await;
        browser.goto(&created.payment_url).await;
        let works = "return seen.works !== null && seen.qr !== null";
        eventually("the page works", async || browser.run(works, vec![]).await == true).await;
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        *out = browser.run(READ, vec![]).await;
    });
    measured
}
