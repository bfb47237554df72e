//! What requests of the same moment want, done for all of them at once: one task serves, and who comes while it is at work
//! goes with its next batch.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::ports::{StoreError, Stored};

#[derive(Debug)]
pub(super) struct Batches<W, A>(Arc<Mutex<Queue<W, A>>>);

#[derive(Debug)]
struct Queue<W, A> {
    waiting: Vec<Waiting<W, A>>,
    /// Somebody serves, and looks again before the end.
    is_served: bool,
}

#[derive(Debug)]
pub(super) struct Waiting<W, A> {
    pub(super) wanted: W,
    /// Gone when the request was given up.
    answer: oneshot::Sender<A>,
}

/// Serves what waits. What it leaves behind when it is dropped, others can take up.
pub(super) struct Server<W, A> {
    batches: Batches<W, A>,
    is_done: bool,
}

impl<W: Send, A: Send> Batches<W, A> {
    /// The answer to what is wanted.
    ///
    /// When nobody serves, `serve` begins to: apart from this request, which can be given up while others wait for the same
    /// batch.
    pub(super) async fn ask<F>(&self, wanted: W, serve: impl FnOnce(Server<W, A>) -> F + Send) -> Stored<A>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let is_served = {
            let mut queue = self.queue();
            queue.waiting.push(Waiting { wanted, answer });
            std::mem::replace(&mut queue.is_served, true)
        };
        if !is_served {
            tokio::spawn(serve(Server { batches: self.clone(), is_done: false }));
        }
        answered.await.map_err(|error| StoreError(error.into()))
    }
}

impl<W, A> Batches<W, A> {
    /// Whether somebody serves, and how many wait for the next batch.
    #[cfg(test)]
    pub(super) fn standing(&self) -> (bool, usize) {
        let queue = self.queue();
        (queue.is_served, queue.waiting.len())
    }

    fn queue(&self) -> MutexGuard<'_, Queue<W, A>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W, A> Server<W, A> {
    /// The next ones, at most so many; `None` when there are none, and nobody serves any more.
    pub(super) fn next(&mut self, most: usize) -> Option<Vec<Waiting<W, A>>> {
        let mut queue = self.batches.queue();
        queue.waiting.retain(|waiting| !waiting.answer.is_closed());
        queue.is_served = !queue.waiting.is_empty();
        self.is_done = !queue.is_served;
        let count = queue.waiting.len().min(most);
        queue.is_served.then(|| queue.waiting.drain(..count).collect())
    }
}

impl<W, A> Waiting<W, A> {
    pub(super) fn answer(self, answer: A) {
        let _ = self.answer.send(answer);
    }
}

impl<W, A> Drop for Server<W, A> {
    fn drop(&mut self) {
        // In the middle: a fault, or the end of the process. Who waits is told that nothing is known.
        if !self.is_done {
            let mut queue = self.batches.queue();
            queue.is_served = false;
            queue.waiting.clear();
        }
    }
}

impl<W, A> Clone for Batches<W, A> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W, A> Default for Batches<W, A> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Queue { waiting: Vec::new(), is_served: false })))
    }
}
