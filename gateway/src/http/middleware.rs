//! Layers around every handler: request ids and times, CORS, rate limits.

pub(super) mod cors;
pub(super) mod envelope;
pub(super) mod limit;
