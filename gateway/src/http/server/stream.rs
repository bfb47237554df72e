//! A connection that is closed if its client does not read, and whose parser errors have a body.

use std::future::Future as _;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

use super::malformed;

pub(super) struct GuardedStream {
    stream: TcpStream,
    /// Time limit for the client to read some bytes of a response.
    limit: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
    /// A replacement of hyper's own response, and how much of it was sent.
    instead: Option<(Vec<u8>, usize)>,
}

impl GuardedStream {
    pub(super) fn new(stream: TcpStream, limit: Duration) -> Self {
        Self { stream, limit, stalled: None, instead: None }
    }

    /// Measures the time without progress.
    fn timed<T>(&mut self, outcome: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.stalled = None;
            return outcome;
        }
        let limit = self.limit;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep(limit)));
        stalled.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }

    /// Sends the replacement of hyper's own response.
    fn send_instead(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some((answer, sent)) = &mut self.instead {
            if *sent == answer.len() {
                self.instead = None;
                break;
            }
            let outcome = Pin::new(&mut self.stream).poll_write(context, &answer[*sent..]);
            if let Poll::Ready(Ok(count @ 1..)) = outcome {
                *sent += count;
                self.stalled = None;
                continue;
            }
            return match self.timed(outcome, context) {
                Poll::Ready(Ok(_)) => Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
                Poll::Pending => Poll::Pending,
            };
        }
        Poll::Ready(Ok(()))
    }

    /// Whether hyper wrote this response itself.
    fn replaces(&mut self, written: &[u8]) -> bool {
        if self.instead.is_none() {
            self.instead = malformed::instead_of(written).map(|answer| (answer, 0));
        }
        self.instead.is_some()
    }
}

impl AsyncRead for GuardedStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for GuardedStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if this.replaces(bytes) {
            return this.send_instead(context).map_ok(|()| bytes.len());
        }
        let outcome = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.timed(outcome, context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if let [head] = slices
            && this.replaces(head)
        {
            return this.send_instead(context).map_ok(|()| head.len());
        }
        let outcome = Pin::new(&mut this.stream).poll_write_vectored(context, slices);
        this.timed(outcome, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}
