//! A small web server of another party: a merchant's page, or an attacker's.

use parking_lot::Mutex;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

/// Serves the same page at every path, until the journey ends.
pub(crate) struct Merchant {
    pub(crate) origin: String,
    visits: Arc<Mutex<Vec<String>>>,
}

impl Merchant {
    /// `headers` are complete lines, such as a Content-Security-Policy.
    pub(crate) fn open(html: &str, headers: &[&str]) -> Self {
        Self::listen(TcpListener::bind("127.0.0.1:0").expect("a port is free"), html, headers)
    }

    /// Listens on an origin that is known before its page.
    pub(crate) fn reserve() -> (TcpListener, String) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let origin = format!("http://{}", listener.local_addr().expect("it listens"));
        (listener, origin)
    }

    pub(crate) fn open_at(listener: TcpListener, html: &str) -> Self {
        Self::listen(listener, html, &[])
    }

    /// Listens on an origin that has the other one as a prefix, if that one is free.
    pub(crate) fn open_alike(origin: &str, html: &str) -> Self {
        let alike = origin.trim_start_matches("http://");
        let listener =
            TcpListener::bind(&alike[..alike.len() - 1]).or_else(|_| TcpListener::bind("127.0.0.1:0"));
        Self::listen(listener.expect("a port is free"), html, &[])
    }

    fn listen(listener: TcpListener, html: &str, headers: &[&str]) -> Self {
        let origin = format!("http://{}", listener.local_addr().expect("it listens"));
        let head: String = headers.iter().flat_map(|line| [line, "\r\n"]).collect();
        let answer = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n{head}Connection: \
             close\r\n\r\n{html}",
            html.len()
        );
        let visits = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&visits);
        std::thread::spawn(move || {
            for visitor in listener.incoming().map_while(Result::ok) {
                if let Some(target) = serve(visitor, &answer) {
                    log.lock().push(target);
                }
            }
        });
        Self { origin, visits }
    }

    /// The path and query of every request so far.
    pub(crate) fn visits(&self) -> Vec<String> {
        self.visits.lock().clone()
    }
}

fn serve(mut visitor: TcpStream, answer: &str) -> Option<String> {
    let mut lines = BufReader::new(visitor.try_clone().ok()?).lines().map_while(Result::ok);
    let target = lines.next()?.split(' ').nth(1)?.to_owned();
    lines.find(String::is_empty)?;
    visitor.write_all(answer.as_bytes()).ok()?;
    Some(target)
}
