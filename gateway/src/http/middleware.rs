//! Middleware around the handlers: request ids, server time, CORS, rate limits.

pub(super) mod cors;
pub(super) mod envelope;
pub(super) mod limit;
