//! The outcome of a command.

/// An error is one or more sentences: what is wrong and what to do next.
pub(crate) type Outcome<T> = Result<T, String>;
