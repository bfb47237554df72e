//! An anvil node with its own chain, and a rate feed.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use checkout_core::Amount;
use serde_json::{Value, json};

pub(super) struct Anvil {
    process: Child,
    address: String,
    /// A funded account whose key the node has.
    rich: String,
}

impl Drop for Anvil {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

impl Anvil {
    /// Blocks are only mined by [`mine`](Self::mine).
    pub(super) fn start() -> Self {
        let program = std::env::var("CHECKOUT_ANVIL").unwrap_or_else(|_| "anvil".to_owned());
        let address = free();
        let port = address.rsplit_once(':').unwrap().1;
        let mut command = Command::new(&program);
        command.args(["--host", "127.0.0.1", "--port", port, "--no-mining", "--silent"]);
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let process = process.unwrap_or_else(|error| {
            panic!("{program}: {error}. `cargo xtask test` installs anvil, or name one in CHECKOUT_ANVIL.")
        });
        let mut anvil = Self { process, address, rich: String::new() };
        while TcpStream::connect(&anvil.address).is_err() {
            std::thread::sleep(Duration::from_millis(20));
        }
        anvil.ask("eth_accounts", &json!([]))[0].as_str().unwrap().clone_into(&mut anvil.rich);
        anvil
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(super) fn ask(&self, method: &str, params: &Value) -> Value {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let head = format!(
            "POST / HTTP/1.1\r\nhost: node\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let answer: Value = serde_json::from_str(&read_body(&mut stream)).unwrap();
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    pub(super) fn mine(&self, blocks: u64) {
        for _ in 0..blocks {
            self.ask("evm_mine", &json!([]));
        }
    }

    /// Sends ether to an address. Returns the transaction id.
    pub(super) fn pay(&self, to: &str, ether: &str) -> String {
        let wei = Amount::parse(ether, 18).unwrap().atoms();
        let transaction = json!({"from": self.rich, "to": to, "value": format!("{wei:#x}")});
        self.ask("eth_sendTransaction", &json!([transaction])).as_str().unwrap().to_owned()
    }

    /// In ether.
    pub(super) fn balance(&self, account: &str) -> String {
        let wei = number(&self.ask("eth_getBalance", &json!([account, "latest"])));
        Amount::from_atoms(wei).unwrap().to_text(18)
    }

    /// Mined transactions of an account.
    pub(super) fn sent(&self, account: &str) -> u128 {
        number(&self.ask("eth_getTransactionCount", &json!([account, "latest"])))
    }
}

fn read_body(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    loop {
        let mut part = [0; 4096];
        let count = stream.read(&mut part).unwrap();
        assert!(count > 0, "the node's answer is incomplete: {text}");
        text.push_str(std::str::from_utf8(&part[..count]).unwrap());
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        if body.len() == length.parse::<usize>().unwrap() {
            return body.to_owned();
        }
    }
}

fn number(value: &Value) -> u128 {
    u128::from_str_radix(value.as_str().unwrap().strip_prefix("0x").unwrap(), 16).unwrap()
}

/// Answers every request with the same rates. Returns its URL.
pub(super) fn feed() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let body =
                json!({"ETH": {"EUR": 2000, "USD": 2200}, "BTC": {"EUR": 60000, "USD": 66000}}).to_string();
            let head =
                format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
            let _ = stream.write_all(format!("{head}{body}").as_bytes());
        }
    });
    url
}
