//! Changes: transactions, what they collect, and the locks that they take.

pub(crate) mod insert_batch;
pub(crate) mod later;
pub(crate) mod tx;
