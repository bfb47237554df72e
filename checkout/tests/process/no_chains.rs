//! A gateway without a chain serves, and says at its start what it lacks.

use std::fs::File;

use crate::gateway::Gateway;
use crate::support::eventually;

#[test]
fn the_start_says_that_no_chain_is_configured() {
    let folder = tempfile::tempdir().unwrap();
    for (more, expected) in [(&[][..], true), (&["--sandbox"], false)] {
        let (database, log) = (folder.path().join(format!("{expected}.db")), folder.path().join("log"));
        let file = File::create(&log).unwrap();
        let gateway = Gateway::start_with(&database, more, |command| {
            command.env("CHECKOUT_LOG", "info").stderr(file);
        });
        let said = || std::fs::read_to_string(&log).unwrap();
        eventually("it is ready", || said().contains("ready"));
        drop(gateway);
        assert_eq!(said().contains("no chain is configured"), expected, "{}", said());
    }
}
