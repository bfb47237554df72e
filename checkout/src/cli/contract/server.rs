//! The requests of the page, and what holds for every answer to them.

use std::time::Duration;

use checkout_chain_http::client::{builder, read_body, reason, web_roots};
use checkout_domain::ports::Clock as _;
use checkout_domain::ports::system_clock::SystemClock;
use reqwest::header::{
    ACCEPT, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, AGE,
    AUTHORIZATION, CONTENT_TYPE, DATE, HeaderMap, HeaderValue, IF_NONE_MATCH, ORIGIN, RETRY_AFTER,
};
use reqwest::{Client, Method, StatusCode};
use tokio::time::sleep;

use super::grades::Grades;
use super::rows::Row;

/// The page waits no longer for an answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How often a request is sent that the server wants later.
const ATTEMPTS: u32 = 3;

/// Where the server does not say how long.
const WAIT: Duration = Duration::from_secs(2);

const LONGEST_WAIT: u64 = 30;

const MAX_ANSWER: usize = 1 << 20;

/// How far two clocks may be apart, in seconds.
pub(super) const CLOCKS: u64 = 120;

pub(super) struct Server {
    client: Client,
    api: String,
    /// Of the page, where it is another than the API's.
    origin: Option<String>,
}

#[derive(Clone, Copy)]
pub(super) struct Ask<'a> {
    pub(super) method: &'static str,
    pub(super) path: &'a str,
    pub(super) token: &'a str,
    pub(super) etag: Option<&'a str>,
    pub(super) body: Option<&'a str>,
}

/// 2xx, 304 or 4xx.
#[derive(Debug)]
pub(super) struct ServerAnswer {
    pub(super) status: StatusCode,
    headers: HeaderMap,
    pub(super) body: String,
    /// The server's time, in UNIX seconds.
    pub(super) now: u64,
}

impl ServerAnswer {
    pub(super) fn is_refusal(&self) -> bool {
        matches!(self.status.as_u16(), 400 | 401 | 403 | 404 | 422)
    }
}

impl Server {
    pub(super) fn new(api: String, origin: Option<String>) -> Result<Self, String> {
        let client = builder(web_roots(), TIMEOUT).build().map_err(|error| reason(&error))?;
        Ok(Self { client, api, origin })
    }

    /// `None` if the page is offline after it.
    pub(super) async fn ask(&self, grades: &mut Grades, ask: Ask<'_>) -> Option<ServerAnswer> {
        let what = format!("{} {}", ask.method, ask.path);
        let mut was_late = None;
        for _ in 0..ATTEMPTS {
            let answer = match self.send(ask).await {
                Ok(answer) => answer,
                Err(error) => {
                    grades.broken(Row::Anything, &what, error);
                    return None;
                }
            };
            self.judge_headers(grades, &what, &answer);
            let status = answer.status.as_u16();
            let after = answer.headers.get(RETRY_AFTER);
            let late = match status {
                503 if ask.method == "PATCH" => Row::NoRate,
                429 => Row::Busy,
                503 if after.is_some() => Row::Busy,
                200..=299 | 304 | 400..=499 if status != 304 || ask.etag.is_some() => {
                    if let Some(row) = was_late {
                        grades.kept(row);
                    }
                    grades.kept(Row::Anything);
                    return Some(answer);
                }
                _ => {
                    grades.broken(Row::Anything, &what, format!("answered with {status}"));
                    return None;
                }
            };
            was_late = Some(late);
            let seconds = after.map(|value| value.to_str().ok().and_then(|text| text.parse::<u64>().ok()));
            if let Some(None) = seconds {
                grades.broken(
                    Row::Busy,
                    &what,
                    format!("Retry-After is {after:?}, and no number of seconds"),
                );
            }
            let seconds = seconds.flatten().map(|seconds| Duration::from_secs(seconds.min(LONGEST_WAIT)));
            sleep(seconds.unwrap_or(WAIT)).await;
        }
        if let Some(row) = was_late {
            grades.broken(row, &what, format!("answered so {ATTEMPTS} times in a row"));
        }
        None
    }

    async fn send(&self, ask: Ask<'_>) -> Result<ServerAnswer, String> {
        let method = Method::from_bytes(ask.method.as_bytes()).map_err(|error| error.to_string())?;
        let mut request = self.client.request(method, format!("{}{}", self.api, ask.path));
        request =
            request.header(AUTHORIZATION, format!("Bearer {}", ask.token)).header(ACCEPT, "application/json");
        if let Some(origin) = &self.origin {
            request = request.header(ORIGIN, origin);
        }
        if let Some(etag) = ask.etag {
            request = request.header(IF_NONE_MATCH, etag);
        }
        if let Some(body) = ask.body {
            request = request.header(CONTENT_TYPE, "application/json").body(body.to_owned());
        }
        let response = request.send().await.map_err(|error| reason(&error))?;
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = read_body(response, MAX_ANSWER).await.map_err(|error| error.to_string())?;
        let now = date(&headers).and_then(Result::ok).unwrap_or_else(|| SystemClock.now());
        Ok(ServerAnswer { status, headers, body: String::from_utf8_lossy(&bytes).into_owned(), now })
    }

    fn judge_headers(&self, grades: &mut Grades, what: &str, answer: &ServerAnswer) {
        self.judge_origin(grades, what, answer.status, &answer.headers);
        if let Some(time) = self.header(answer, DATE.as_str()).and_then(|_| date(&answer.headers)) {
            grades.judge(Row::Date, what, time.map(drop));
        }
    }

    fn judge_origin(&self, grades: &mut Grades, what: &str, status: StatusCode, headers: &HeaderMap) {
        let Some(origin) = &self.origin else { return };
        let allowed: Vec<&HeaderValue> = headers.get_all(ACCESS_CONTROL_ALLOW_ORIGIN).iter().collect();
        let is_allowed = matches!(allowed[..], [one] if one == "*" || one == origin);
        grades.expect(Row::AllowOrigin, what, is_allowed, || {
            format!("{allowed:?} on an answer with {} does not allow {origin}", status.as_u16())
        });
    }

    /// A header that the page can read.
    pub(super) fn header<'a>(&self, answer: &'a ServerAnswer, name: &str) -> Option<&'a str> {
        let exposed = list(&answer.headers, ACCESS_CONTROL_EXPOSE_HEADERS.as_str());
        let is_shown = exposed.iter().any(|shown| shown == "*" || shown.eq_ignore_ascii_case(name));
        answer.headers.get(name)?.to_str().ok().filter(|_| self.origin.is_none() || is_shown)
    }

    /// The browser asks first whether the page may ask, where the API is of another origin.
    pub(super) async fn preflight(&self, grades: &mut Grades, path: &str) {
        let Some(origin) = &self.origin else { return };
        for (method, asked) in [("GET", "authorization"), ("PATCH", "authorization,content-type")] {
            let what = format!("OPTIONS {path} before {method}");
            let request =
                self.client.request(Method::OPTIONS, format!("{}{path}", self.api)).header(ORIGIN, origin);
            let request = request
                .header(ACCESS_CONTROL_REQUEST_METHOD, method)
                .header(ACCESS_CONTROL_REQUEST_HEADERS, asked);
            let response = match request.send().await {
                Ok(response) => response,
                Err(error) => {
                    grades.broken(Row::Anything, &what, reason(&error));
                    continue;
                }
            };
            let (status, headers) = (response.status(), response.headers());
            self.judge_origin(grades, &what, status, headers);
            let methods = list(headers, ACCESS_CONTROL_ALLOW_METHODS.as_str());
            // GET needs no permission.
            let is_method = method == "GET" || methods.iter().any(|one| one == "*" || one == method);
            grades.expect(Row::AllowMethods, &what, status.is_success() && is_method, || {
                format!("answered with {} and the methods {:?}", status.as_u16(), methods.join(", "))
            });
            let allowed = list(headers, ACCESS_CONTROL_ALLOW_HEADERS.as_str());
            for name in asked.split(',') {
                // The star does not stand for `authorization`.
                let stars = name != "authorization";
                let is_allowed =
                    allowed.iter().any(|one| one.eq_ignore_ascii_case(name) || stars && one == "*");
                grades.expect(Row::AllowHeaders, &what, is_allowed, || {
                    format!("{name} is not in {:?}", allowed.join(", "))
                });
            }
        }
    }
}

/// The parts of a list with commas.
fn list(headers: &HeaderMap, name: &str) -> Vec<String> {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values
        .flat_map(|value| value.split(','))
        .map(|one| one.trim().to_owned())
        .filter(|one| !one.is_empty())
        .collect()
}

/// The server's time by its `Date`, if that agrees with this machine's clock.
fn date(headers: &HeaderMap) -> Option<Result<u64, String>> {
    let text = headers.get(DATE)?.to_str().unwrap_or_default();
    let age = headers.get(AGE).and_then(|age| age.to_str().ok()?.parse().ok()).unwrap_or(0);
    let read = httpdate::parse_http_date(text).ok();
    let read = read.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let Some(read) = read.map(|time| time.as_secs() + age) else {
        return Some(Err(format!("{text:?} is no date of HTTP")));
    };
    let off = read.abs_diff(SystemClock.now());
    Some(if off <= CLOCKS {
        Ok(read)
    } else {
        Err(format!("{text} is {off} seconds off this machine's clock"))
    })
}
