//! A faulty connection to the gateway: a proxy that corrupts answers to the page's polls, or to other requests.

use parking_lot::Mutex;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use super::rewriting::Rewriting;

/// Whether a request, by its first line, suffers.
type Which = fn(&str) -> bool;

fn is_poll(line: &str) -> bool {
    line.starts_with("GET /api/v1/checkout/")
}

/// A fault of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The connection closes before the request is read.
    Reset,
    /// The connection closes without an answer.
    Drop,
    /// No answer while the fault lasts.
    Hang,
    /// The answer once the fault has ended.
    Late,
    /// Another status, with these headers.
    Status(u16, &'static str),
    /// A refusal as JSON, which the gateway did not write.
    Refusal(u16),
    /// An HTML page instead of the payment, like a captive portal's.
    Html,
    /// JSON that is not a payment.
    WrongJson,
    /// The first half of the answer.
    Truncated,
    /// The answer, one byte at a time.
    Trickle,
    /// Repeats the first answer.
    Stale,
    /// The page as a proxy changes it.
    Rewritten(Rewriting),
}

/// Interval at which a waiting connection checks whether the fault has ended.
const LOOK: Duration = Duration::from_millis(20);

#[derive(Default)]
struct Line {
    fault: Option<Fault>,
    polls: u32,
    first: Option<Vec<u8>>,
}

/// The proxy, which runs until the end of the journey.
#[derive(Clone)]
pub(crate) struct Faulty {
    pub(crate) origin: String,
    line: Arc<Mutex<Line>>,
    suffers: Which,
}

impl Faulty {
    /// Spoils polls.
    pub(crate) fn open(gateway: &str) -> Self {
        Self::before(gateway, is_poll)
    }

    /// Spoils these requests.
    pub(crate) fn before(gateway: &str, suffers: Which) -> Self {
        let gateway = gateway.trim_start_matches("http://").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let origin = format!("http://{}", listener.local_addr().expect("it listens"));
        let proxy = Self { origin, line: Arc::default(), suffers };
        let lines = proxy.clone();
        std::thread::spawn(move || {
            for visitor in listener.incoming().map_while(Result::ok) {
                let (gateway, lines) = (gateway.clone(), lines.clone());
                std::thread::spawn(move || lines.pass(visitor, &gateway));
            }
        });
        proxy
    }

    pub(crate) fn suffer(&self, fault: Fault) {
        self.with(|line| line.fault = Some(fault));
    }

    pub(crate) fn heal(&self) {
        self.with(|line| line.fault = None);
    }

    /// Returns the number of polls.
    pub(crate) fn polls(&self) -> u32 {
        self.with(|line| line.polls)
    }

    fn with<T>(&self, use_line: impl FnOnce(&mut Line) -> T) -> T {
        use_line(&mut self.line.lock())
    }

    fn lasts(&self, fault: Fault) -> bool {
        self.with(|line| line.fault == Some(fault))
    }

    /// Handles one request; the connection is closed afterwards.
    fn pass(&self, mut visitor: TcpStream, gateway: &str) -> std::io::Result<()> {
        if self.lasts(Fault::Reset) {
            // The request is unread, so that the browser sees a reset.
            std::thread::sleep(LOOK);
            return Ok(());
        }
        let (request, is_poll) = read_request(&visitor, gateway, self.suffers)?;
        let fault = self.with(|line| {
            line.polls += u32::from(is_poll);
            line.fault.filter(|_| is_poll)
        });
        match fault {
            Some(Fault::Drop) => return Ok(()),
            Some(Fault::Hang) => {
                while self.lasts(Fault::Hang) {
                    std::thread::sleep(LOOK);
                }
                return Ok(());
            }
            Some(Fault::Status(status, headers)) => {
                let answer = format!(
                    "HTTP/1.1 {status} Fault\r\n{headers}Content-Length: 0\r\nConnection: close\r\n\r\n"
                );
                return visitor.write_all(answer.as_bytes());
            }
            Some(Fault::Refusal(status)) => {
                let body = r#"{"code":"blocked"}"#;
                let head = format!("HTTP/1.1 {status} Fault\r\nContent-Length: {}\r\n", body.len());
                return visitor.write_all(format!("{head}Connection: close\r\n\r\n{body}").as_bytes());
            }
            Some(Fault::Html) => {
                return visitor.write_all(&answer("text/html", "<h1>Sign in to the Wi-Fi</h1>"));
            }
            Some(Fault::WrongJson) => {
                return visitor.write_all(&answer("application/json", r#"{"payment": {"status": 7}}"#));
            }
            Some(Fault::Late) => {
                while self.lasts(Fault::Late) {
                    std::thread::sleep(LOOK);
                }
            }
            None
            | Some(Fault::Reset | Fault::Truncated | Fault::Trickle | Fault::Stale | Fault::Rewritten(_)) => {
            }
        }
        let mut server = TcpStream::connect(gateway)?;
        server.write_all(&request)?;
        if !is_poll {
            std::io::copy(&mut server, &mut visitor)?;
            return Ok(());
        }
        let mut bytes = Vec::new();
        server.read_to_end(&mut bytes)?;
        let is_whole = bytes.starts_with(b"HTTP/1.1 200");
        let first = self.with(|line| {
            if line.first.is_none() && is_whole {
                line.first = Some(bytes.clone());
            }
            line.first.clone()
        });
        match fault {
            Some(Fault::Truncated) if is_whole => visitor.write_all(&bytes[..bytes.len() - 200]),
            Some(Fault::Truncated) => Ok(()),
            Some(Fault::Trickle) => self.trickle(&mut visitor, &bytes),
            Some(Fault::Stale) => visitor.write_all(first.as_deref().unwrap_or(&bytes)),
            Some(Fault::Rewritten(rewriting)) => visitor.write_all(&rewriting.of_answer(&bytes)),
            _ => visitor.write_all(&bytes),
        }
    }

    /// Sends a byte every quarter of a second, and the rest once the fault has ended.
    fn trickle(&self, visitor: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
        let mut rest = bytes;
        while let Some((first, others)) = rest.split_first().filter(|_| self.lasts(Fault::Trickle)) {
            visitor.write_all(&[*first])?;
            rest = others;
            std::thread::sleep(LOOK * 12);
        }
        visitor.write_all(rest)
    }
}

fn answer(kind: &str, body: &str) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n", body.len());
    format!("{head}Connection: close\r\n\r\n{body}").into_bytes()
}

/// The request for the gateway, and whether it suffers.
pub(crate) fn read_request(
    visitor: &TcpStream,
    gateway: &str,
    suffers: Which,
) -> std::io::Result<(Vec<u8>, bool)> {
    let mut reader = BufReader::new(visitor.try_clone()?);
    let (mut length, mut request, mut is_poll) = (0, Vec::new(), false);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        is_poll |= request.is_empty() && suffers(&line);
        let (name, value) = line.split_once(':').unwrap_or((&line, ""));
        match name.to_ascii_lowercase().as_str() {
            "content-length" => {
                length = value.trim().parse().unwrap_or(0);
                request.extend_from_slice(line.as_bytes());
            }
            "connection" => request.extend_from_slice(b"Connection: close\r\n"),
            // A proxy that changes answers reads them.
            "accept-encoding" => {}
            "host" => request.extend_from_slice(format!("Host: {gateway}\r\n").as_bytes()),
            _ => request.extend_from_slice(line.as_bytes()),
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    request.extend_from_slice(&body);
    Ok((request, is_poll))
}
