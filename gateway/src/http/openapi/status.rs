//! The meaning of each error status, the same on all routes.

pub(super) fn description(status: u16) -> &'static str {
    match status {
        400 => "The request cannot be parsed.",
        401 => "The token is missing, unknown, revoked or expired.",
        403 => {
            "The token lacks the scope, the business is disabled, or (in the sandbox) the request comes from another site or for another host."
        }
        404 => "The resource does not exist, or the token cannot access it.",
        408 => "The body did not come within 20 seconds.",
        409 => "The request conflicts with the current state. Nothing was changed.",
        413 => "The body is longer than 64 KiB.",
        414 => "Path and query are longer than 8 KiB.",
        415 => "The `Content-Type` is not JSON, or the body has a `Content-Encoding`.",
        422 => "The request is invalid; `errors` lists all errors. Nothing was changed.",
        429 => "Too many requests. Retry after `Retry-After` seconds.",
        500 => "Internal error. Include the request id in support requests.",
        503 => "Temporarily unavailable. Retry after `Retry-After` seconds: the same request again is safe.",
        _ => "Refused.",
    }
}
