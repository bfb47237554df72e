//! Runs work in parallel threads. If one fails, the others are stopped and joined, so that no process
//! outlives the test.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time limit for all lanes.
pub(super) const TIMEOUT: Duration = Duration::from_mins(10);

/// The work of one lane.
pub(super) type Work<'a, T> = Box<dyn FnOnce(&Lane<'_>) -> T + Send + 'a>;

pub(super) struct Lane<'a> {
    is_over: &'a AtomicBool,
    started: Instant,
}

impl Lane<'_> {
    /// Returns true if another lane failed, so that this one stops early.
    ///
    /// # Panics
    /// Panics if the time limit is exceeded; the other lanes stop as well.
    pub(super) fn is_over(&self) -> bool {
        assert!(self.started.elapsed() < TIMEOUT, "a lane did not finish in {TIMEOUT:?}");
        self.is_over.load(Ordering::SeqCst)
    }
}

impl Drop for Lane<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.is_over.store(true, Ordering::SeqCst);
        }
    }
}

/// Returns the result of each lane, in order.
///
/// # Panics
/// Panics with the failed lane's panic after all lanes have ended.
pub(super) fn side_by_side<T: Send>(works: Vec<Work<'_, T>>) -> Vec<T> {
    let is_over = AtomicBool::new(false);
    let is_over = &is_over;
    let ends: Vec<_> = std::thread::scope(|scope| {
        let lanes: Vec<_> = works
            .into_iter()
            .map(|work| scope.spawn(move || work(&Lane { is_over, started: Instant::now() })))
            .collect();
        lanes.into_iter().map(std::thread::ScopedJoinHandle::join).collect()
    });
    ends.into_iter().map(|end| end.unwrap_or_else(|panic| resume_unwind(panic))).collect()
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::process::Command;
    use std::sync::Mutex;

    use super::*;
    use crate::gateway::Gateway;

    #[test]
    fn a_lane_that_fails_ends_the_other_and_its_gateway() {
        let folder = tempfile::tempdir().unwrap();
        let (started, id) = std::sync::mpsc::channel();
        let (database, id) = (folder.path().join("checkout.db"), Mutex::new(id));
        let process = Mutex::new(0);
        let other: Work<'_, ()> = Box::new(|lane| {
            let gateway = Gateway::start(&database, &["--sandbox"]);
            started.send(gateway.id()).unwrap();
            while !lane.is_over() {
                gateway.text("/healthz");
            }
        });
        let failing: Work<'_, ()> = Box::new(|_| {
            *process.lock().unwrap() = id.lock().unwrap().recv().unwrap();
            panic!("this lane fails");
        });
        let ended = catch_unwind(AssertUnwindSafe(|| side_by_side(vec![other, failing])));
        assert_eq!(ended.unwrap_err().downcast_ref(), Some(&"this lane fails"));
        let id = process.lock().unwrap().to_string();
        let lives = Command::new("kill").args(["-0", &id]).output().unwrap().status.success();
        assert!(!lives, "gateway {id} outlived the test");
    }
}
