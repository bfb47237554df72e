//! A configuration file that `serve` refuses is refused by `chains check`, with the same words.

use crate::gateway::run;

const KEY: &str = "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs";

fn file(first: &str, section: &str, more: &str) -> String {
    let node = "url = \"http://127.0.0.1:9\"\nuser = \"a\"\npassword = \"b\"";
    format!("{first}\n[deposit_keys]\nLTC = \"{KEY}\"\n[chains.LTC]\n{node}\n{section}\n{more}\n")
}

#[test]
fn a_check_refuses_what_serve_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let check = |text: &str, part: &str| {
        let config = folder.path().join("gateway.toml");
        std::fs::write(&config, text).unwrap();
        let (config, database) =
            (config.display().to_string(), format!("sqlite:{}/a.db", folder.path().display()));
        let said = |arguments: &[&str]| {
            let output = run(&[arguments, &["--config", &config, "--database", &database]].concat());
            assert_eq!(output.status.code(), Some(1), "{arguments:?} {text}");
            String::from_utf8(output.stderr).unwrap()
        };
        let served = said(&["serve", "--listen", "127.0.0.1:0"]);
        let served = served.lines().find(|line| line.starts_with("checkout: ")).unwrap_or_default();
        assert!(served.contains(part), "{text}: {served}");
        let checked = said(&["chains", "check"]);
        assert_eq!(checked.lines().next(), Some(served), "{text}");
    };
    check(&file("", "confirmations = 0", ""), "[chains.LTC] confirmations");
    let row = |above: &str| format!("[[chains.LTC.confirmations]]\nabove = \"{above}\"\nrequired = 3\n");
    check(&file("", "", &row("1000")), "above = \"1000\" must be an amount and its currency");
    check(&file("", "", &[row("1000 EUR"), row("2000 EUR")].concat()), "above 2000 EUR");
    check(&file("", "", "[confirmations]\nLTC = 2"), "[confirmations]");
    check(&file("", "", "[finality]\nLTC = 0"), "[finality]");
    check(&file("", "", "[service_fees]\ndeposit = \"2\""), "[service_fees]");
    check(&file("", "", "[desk]\npasswords = true"), "[desk]");
    check(&file("", "", "[rates]\nrefresh_seconds = 0"), "[rates]");
    check(&file("", "", "[rates]\nurl = \"ftp://rates.example\""), "[rates]");
    check(&file("public_url = \"http://pay.example\"", "", ""), "--public-url");
}
