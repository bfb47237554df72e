//! Panics as values: a fault in one piece of work must be seen, and must not end the others.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use futures::FutureExt as _;

/// The text of a panic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panicked(pub String);

impl Panicked {
    pub fn of(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Self(text.unwrap_or("a panic without a text").to_owned())
    }
}

/// Runs a future to its end, or to its panic. What the future held is dropped either way: a change of the store that
/// was not committed is undone.
pub async fn caught<T>(future: impl Future<Output = T>) -> Result<T, Panicked> {
    AssertUnwindSafe(future).catch_unwind().await.map_err(|payload| Panicked::of(payload.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_a_value() {
        assert_eq!(caught(async { 7 }).await, Ok(7));
        let late = async {
            tokio::task::yield_now().await;
            panic!("out by {}", 3)
        };
        assert_eq!(caught(late).await, Err::<(), _>(Panicked("out by 3".to_owned())));
        assert_eq!(caught(async { panic!("plain") }).await, Err::<(), _>(Panicked("plain".to_owned())));
    }
}
