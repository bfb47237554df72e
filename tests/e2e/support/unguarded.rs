//! Simulates a browser without Content-Security-Policy: a proxy that removes the header.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};

use super::faulty::read_request;

/// Forwards requests to the gateway until the journey ends. Returns the proxy's origin.
pub(crate) fn open(gateway: &str) -> String {
    let gateway = gateway.trim_start_matches("http://").to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let origin = format!("http://{}", listener.local_addr().expect("it listens"));
    std::thread::spawn(move || {
        for visitor in listener.incoming().map_while(Result::ok) {
            let gateway = gateway.clone();
            std::thread::spawn(move || pass(visitor, &gateway));
        }
    });
    origin
}

/// Handles one request; the connection is closed afterwards.
fn pass(mut visitor: TcpStream, gateway: &str) -> std::io::Result<()> {
    let (request, _) = read_request(&visitor, gateway, |_| false)?;
    let mut server = TcpStream::connect(gateway)?;
    server.write_all(&request)?;
    let mut answer = BufReader::new(server);
    loop {
        let mut line = String::new();
        answer.read_line(&mut line)?;
        if !line.to_ascii_lowercase().starts_with("content-security-policy:") {
            visitor.write_all(line.as_bytes())?;
        }
        if line.trim().is_empty() {
            break;
        }
    }
    std::io::copy(&mut answer, &mut visitor)?;
    Ok(())
}
