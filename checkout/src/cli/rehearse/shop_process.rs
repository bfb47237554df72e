//! The shop of a rehearsal: one that listens already, or a command.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use checkout_sandbox::rehearsal::Credentials;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

const LOOK: Duration = Duration::from_millis(50);

/// Of one attempt to connect.
const CONNECT: Duration = Duration::from_secs(5);

/// `None` if the shop runs already.
pub(super) struct ShopProcess(Option<Child>);

impl ShopProcess {
    pub(super) fn start(
        command: &[String],
        gateway: &str,
        credentials: &Credentials,
    ) -> Result<Self, String> {
        let Some((program, arguments)) = command.split_first() else { return Ok(Self(None)) };
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env("CHECKOUT_URL", gateway)
            .env("CHECKOUT_TOKEN", &credentials.token)
            .env("CHECKOUT_SECRET", &credentials.secret)
            .stdin(Stdio::null())
            // Standard output has the report alone.
            .stdout(Stdio::null());
        let child = command.spawn().map_err(|error| format!("{program} cannot be started: {error}."))?;
        Ok(Self(Some(child)))
    }

    /// Waits until the receiver listens.
    pub(super) async fn wait_for(&mut self, receiver: &str, limit: Duration) -> Result<(), String> {
        let (host, port) = host_and_port(receiver).ok_or_else(|| format!("{receiver} has no host."))?;
        let end = Instant::now() + limit;
        loop {
            let connected = timeout(CONNECT, TcpStream::connect((host.as_str(), port))).await;
            if matches!(connected, Ok(Ok(_))) {
                return Ok(());
            }
            if let Some(child) = &mut self.0
                && let Ok(Some(status)) = child.try_wait()
            {
                return Err(format!("The shop ended ({status}) before it listened on {host}:{port}."));
            }
            if Instant::now() >= end {
                return Err(format!(
                    "Nothing listens on {host}:{port} after {} seconds: start the shop with the three variables above.",
                    limit.as_secs()
                ));
            }
            sleep(LOOK).await;
        }
    }
}

impl Drop for ShopProcess {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn host_and_port(url: &str) -> Option<(String, u16)> {
    let url = url::Url::parse(url).ok()?;
    let host = url.host_str()?.trim_matches(['[', ']']).to_owned();
    Some((host, url.port_or_known_default()?))
}
