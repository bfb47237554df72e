//! A cheap client: it sends prepared bytes and reads only the length of a response.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Makes the bytes of a request from its connection, its round and its number.
type Make = dyn Fn(usize, usize, u64) -> Vec<u8>;

#[derive(Clone)]
pub(crate) struct Load {
    connections: usize,
    /// The status that every response must have.
    status: u16,
    make: Arc<Make>,
}

/// The measurements of one turn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turn {
    pub(crate) per_second: f64,
    pub(crate) micros: Vec<u64>,
    /// Microseconds of processor time per response in the answering process, where measured.
    pub(crate) processor: Option<f64>,
}

impl Load {
    pub(crate) fn new(
        connections: usize,
        status: u16,
        make: impl Fn(usize, usize, u64) -> Vec<u8> + 'static,
    ) -> Self {
        Self { connections, status, make: Arc::new(make) }
    }

    pub(crate) fn empty(connections: usize) -> Self {
        Self::new(connections, 200, |_, _, _| b"GET / HTTP/1.1\r\nHost: bench\r\n\r\n".to_vec())
    }

    pub(crate) async fn run(&self, address: SocketAddr, round: usize, time: Duration) -> Turn {
        let started = Instant::now();
        let local = tokio::task::LocalSet::new();
        let all: Vec<_> = (0..self.connections)
            .map(|connection| {
                let load = self.clone();
                local.spawn_local(
                    async move { load.connection(address, connection, round, started + time).await },
                )
            })
            .collect();
        local.await;
        let mut turn = Turn::default();
        for one in all {
            turn.micros.extend(one.await.unwrap());
        }
        #[expect(clippy::cast_precision_loss, reason = "a rate")]
        let count = turn.micros.len() as f64;
        turn.per_second = count / started.elapsed().as_secs_f64();
        turn
    }

    async fn connection(&self, address: SocketAddr, own: usize, round: usize, end: Instant) -> Vec<u64> {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let (mut micros, mut number, mut buffer) = (Vec::new(), 0, vec![0; 64 * 1024]);
        while Instant::now() < end {
            let request = (self.make)(own, round, number);
            number += 1;
            let asked = Instant::now();
            stream.write_all(&request).await.unwrap();
            let (status, length) = answer(&mut stream, &mut buffer).await;
            assert!(
                status == self.status,
                "{} instead of {}: {}",
                status,
                self.status,
                String::from_utf8_lossy(&buffer[..length])
            );
            micros.push(u64::try_from(asked.elapsed().as_micros()).unwrap());
        }
        micros
    }
}

/// Reads one response into the buffer; returns its status and length.
pub(crate) async fn answer(stream: &mut TcpStream, buffer: &mut [u8]) -> (u16, usize) {
    let mut have = 0;
    loop {
        let count = stream.read(&mut buffer[have..]).await.unwrap();
        assert!(count > 0, "the connection was closed");
        have += count;
        let Some(end) = buffer[..have].windows(4).position(|bytes| bytes == b"\r\n\r\n") else { continue };
        let head = std::str::from_utf8(&buffer[..end]).unwrap();
        let status: u16 = head[9..12].parse().unwrap();
        let lines = head.lines().filter_map(|line| line.split_once(": "));
        let mut lengths = lines.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
        let body: usize = lengths.next().map_or(0, |(_, length)| length.parse().unwrap());
        let length = end + 4 + if status == 304 { 0 } else { body };
        while have < length {
            have += stream.read(&mut buffer[have..]).await.unwrap();
        }
        return (status, length);
    }
}
