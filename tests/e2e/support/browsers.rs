//! Browsers for the journeys, which use them one after the other: a start costs as much as a short journey.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

use parking_lot::{Mutex, MutexGuard};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::browser::Browser;

/// As many as run at once: a journey waits half of its time, and a browser needs half a gigabyte.
static PLACES: Semaphore = Semaphore::const_new(4);

/// A session ends with its runtime, so the journeys share one.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime starts")
});

static POOL: Mutex<Pool> = Mutex::new(Pool { journeys: 0, idle: Vec::new() });

struct Pool {
    /// Running and waiting ones. The last one closes the idle browsers, because nothing runs when a test program ends.
    journeys: usize,
    idle: Vec<Browser>,
}

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock()
}

/// The part of a journey in the pool.
pub(crate) struct Visitor {
    _place: SemaphorePermit<'static>,
    _leaving: Leaving,
}

struct Leaving;

impl Drop for Leaving {
    fn drop(&mut self) {
        let mut pool = pool();
        pool.journeys -= 1;
        let idle = if pool.journeys == 0 { std::mem::take(&mut pool.idle) } else { Vec::new() };
        drop(pool);
        for browser in idle {
            block_on(browser.close());
        }
    }
}

impl Visitor {
    pub(crate) fn enter() -> Self {
        pool().journeys += 1;
        let leaving = Leaving;
        Self { _place: block_on(PLACES.acquire()).expect("the semaphore is never closed"), _leaving: leaving }
    }
}

/// An idle browser, or a new one.
pub(crate) fn take() -> Browser {
    let idle = pool().idle.pop();
    idle.unwrap_or_else(|| block_on(Browser::start()))
}

/// Returns a browser after a journey that passed.
pub(crate) fn give_back(browser: Browser) {
    let renew = AssertUnwindSafe(|| block_on(browser.renew()).is_ok());
    if catch_unwind(renew).unwrap_or(false) {
        pool().idle.push(browser);
    } else {
        block_on(browser.close());
    }
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    RUNTIME.block_on(future)
}
