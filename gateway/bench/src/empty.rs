//! An empty handler.

use axum::Router;
use axum::routing::get;

/// Uses as many threads as the gateway.
pub(crate) fn serve() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        println!("{}", listener.local_addr().unwrap());
        axum::serve(listener, Router::new().route("/", get(async || {}))).await.unwrap();
    });
}
