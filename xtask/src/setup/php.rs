//! PHP's command line, with the foreign function interface.

use super::system::Packages;
use crate::outcome::Outcome;
use crate::process;

const PACKAGES: Packages =
    Packages::of_debian("PHP", &["php-cli"], "https://www.php.net has it for every system");

pub(crate) fn php() -> Outcome<()> {
    if process::on_path("php").is_none() {
        PACKAGES.install("the core's PHP package is tested with it", |command| {
            format!("There is no PHP with ext-ffi on this machine: {command}")
        })?;
    }
    Ok(())
}
