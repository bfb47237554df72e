//! `cargo xtask serve`: runs the sandbox gateway and the demo shop on this machine.

use std::io::{BufRead, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::step::{Context, STEP, Step, Weight, select};
use crate::workspace::{Profile, Workspace};
use crate::{Outcome, flags, kit, program, runner, setup, site};

/// The hidden command that turns the gateway's ready line into readable text, see [`become_gateway`].
pub(crate) const ANNOUNCE: &str = "announce-ready-gateway";

pub(crate) fn run(workspace: &Workspace, flags: &flags::Serve) -> Outcome<()> {
    let (port, shop) = (flags.port.unwrap_or(8080), flags.shop_port.unwrap_or(8081));
    if port == shop && port != 0 {
        return Err("The gateway and the shop need two different ports.".to_owned());
    }
    free(port, "--port")?;
    free(shop, "--shop-port")?;
    println!(
        "The first start compiles everything; later starts take seconds. The shop's address appears at the end."
    );
    runner::prepare(&select(STEPS, |_| true), &Context { workspace, selection: Vec::new() })?;
    let mut gateway = Command::new(program::binary(workspace, Profile::Debug));
    gateway
        .args(["serve", "--sandbox"])
        .args(["--listen", &format!("127.0.0.1:{port}")])
        .args(["--shop", &format!("127.0.0.1:{shop}")])
        .args(["--kit", &workspace.built("kit", Profile::Debug).display().to_string()])
        .args(["--database", &format!("sqlite:{}", workspace.target.join("sandbox.db").display())])
        .args(flags.origin.iter().map(|origin| format!("--origin={origin}")))
        .args(flags.deposit_callback.iter().map(|url| format!("--deposit-callback={url}")))
        .args(flags.withdrawal_callback.iter().map(|url| format!("--withdrawal-callback={url}")))
        .stdin(Stdio::null());
    become_gateway(gateway)
}

/// Their names differ from those of the tests: each has its own time and log.
#[rustfmt::skip]
pub(crate) const STEPS: &[Step] = &[
    Step { name: "set-up for serving", usual: 45, run: Some(|on, _| setup::for_building(on.workspace)), weight: Weight::Half, ..STEP },
    Step { name: "pages for serving", usual: 110, run: Some(|on, _| site::build(on.workspace, Profile::Debug)),
        needs: &["set-up for serving"], weight: Weight::Half, ..STEP },
    Step { name: "gateway for serving", usual: 120, run: Some(|on, _| program::build(on.workspace, Profile::Debug).map(|_| ())),
        weight: Weight::All, compiles: true, ..STEP },
    Step { name: "kit for serving", usual: 20, run: Some(|on, _| kit::build(on.workspace, Profile::Debug).map(|_| ())),
        needs: &["pages for serving", "gateway for serving"], weight: Weight::All, compiles: true, ..STEP },
];

/// Replaces this process, so that Ctrl-C, SIGTERM and the exit code are the gateway's own. A second process reads the
/// ready line and prints the URLs in readable form.
fn become_gateway(mut gateway: Command) -> Outcome<()> {
    let fault = |error| format!("A second process could not be started: {error}.");
    let myself = std::env::current_exe().map_err(fault)?;
    let mut announcer = Command::new(myself).arg(ANNOUNCE).stdin(Stdio::piped()).spawn().map_err(fault)?;
    gateway.stdout(announcer.stdin.take().expect("standard input was piped above"));
    let error = gateway.exec();
    Err(format!("The gateway could not be started: {error}."))
}

/// Reads standard input until the gateway ends.
pub(crate) fn announce() -> Outcome<()> {
    let mut lines = std::io::stdin().lock().lines().map_while(Result::ok);
    let written = lines.try_for_each(|line| std::io::stdout().write_all(announcement(&line).as_bytes()));
    written.map_err(|error| format!("Nobody reads what the gateway says: {error}."))
}

/// Returns readable text for the ready line; any other line unchanged.
fn announcement(line: &str) -> String {
    let message: Value = serde_json::from_str(line).unwrap_or_default();
    if message["ready"] != true {
        return format!("{line}\n");
    }
    let text = |name: &str| message[name].as_str().unwrap_or("?");
    let base = text("baseUrl");
    format!(
        r#"
Crypto Checkout runs in the sandbox: nothing here is real money.

    Demo shop    {shop}    <- open this and buy something
    Desk         {base}/desk    <- payments and callbacks, and the simulated chains by buttons
    Gateway      {base}
    Business     {id}
    Token        {token}

The page waits for a payment. Move the simulated chain with what the page shows:

    curl {base}/sandbox/transfers --json '{{"network":"BTC","currency":"BTC","address":"ADDRESS","amount":"AMOUNT"}}'
    curl {base}/sandbox/blocks --json '{{"network":"BTC","count":2}}'

(XRP and XLM need "destinationTag":"TAG" in the transfer.) Ctrl-C stops.

"#,
        shop = text("shopUrl"),
        id = text("businessId"),
        token = text("businessToken"),
    )
}

/// Checks that a port is free, before anything is built, so that the error appears at once.
fn free(port: u16, flag: &str) -> Outcome<()> {
    let other = if (1024..64_000).contains(&port) { port + 1000 } else { 8090 };
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map(|_| ()).map_err(|error| {
        format!("Port {port} cannot be opened: {error}. Stop what uses it, or choose another: cargo xtask serve {flag} {other}")
    })
}
