//! The log says once that clients share an address, with and without the header of a proxy.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::gateway::Gateway;

fn ask(gateway: &Gateway, header: &str) -> String {
    let mut stream = TcpStream::connect(gateway.base()).unwrap();
    let close = "connection: close";
    write!(stream, "GET /api/v1/currencies HTTP/1.1\r\nhost: a\r\n{header}{close}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn the_log_says_once_that_clients_share_an_address() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("gateway.toml");
    std::fs::write(&config, "[limits]\nenabled = true\nclient = { per_minute = 1, burst = 1 }\n").unwrap();
    for (header, word) in [("", "one address"), ("x-forwarded-for: 1.1.1.1\r\n", "X-Forwarded-For")] {
        let log = folder.path().join("log");
        let file = File::create(&log).unwrap();
        let more = ["--sandbox", "--config", &config.display().to_string()];
        let gateway = Gateway::start_with(&folder.path().join(format!("{word}.db")), &more, |command| {
            command.env("CHECKOUT_LOG", "info").stderr(file);
        });
        for refused in [false, true, true, true] {
            assert_eq!(ask(&gateway, header).contains(" 429 "), refused, "{header}");
        }
        drop(gateway);
        let said = std::fs::read_to_string(&log).unwrap();
        let said: Vec<&str> = said.lines().filter(|line| line.contains("trusted_proxies")).collect();
        assert_eq!(said.iter().filter(|line| line.contains(word)).count(), 1, "{said:?}");
    }
}
