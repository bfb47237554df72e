//! HTTP servers of tests.

use std::net::TcpListener;
use std::thread;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use tokio::runtime::Builder;

/// Serves on a free port of this machine until the runtime ends. Returns the URL without a path.
pub async fn serve(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

/// The same on a thread of its own until the process ends, for tests that block.
pub fn serve_beside(router: Router) -> String {
    serve_at(TcpListener::bind("127.0.0.1:0").unwrap(), router)
}

/// The same where the address is known before the answers.
pub fn serve_at(listener: TcpListener, router: Router) -> String {
    let url = format!("http://{}", listener.local_addr().unwrap());
    listener.set_nonblocking(true).unwrap();
    thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            axum::serve(tokio::net::TcpListener::from_std(listener).unwrap(), router).await.unwrap();
        });
    });
    url
}

/// A feed of exchange rates: answers every request with `body`. Returns its URL.
pub fn rates(body: &'static str) -> String {
    let answer = move || async move { ([(CONTENT_TYPE, "application/json")], body) };
    serve_beside(Router::new().fallback(answer)) + "/"
}
