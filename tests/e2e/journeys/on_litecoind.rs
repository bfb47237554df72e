use checkout_test_nodes::{Node, PASSWORD, USER, litecoind, rates};

use crate::on_chain::visit;
use crate::support::sandbox::expected;

/// An account from published BIP-32 vectors.
const ACCOUNT: &str = "tpubD6NzVbkrYhZ4WaWSyoBvQwbpLkojyoTZPRsgXELWz3Popb3qkjcJyJUGLnL4qHHoQvao8ESaAstxYSnhyswJ76uZPStJRJCTKvosUCJZL5B";

#[test]
fn a_reorganisation_of_litecoind_makes_a_paid_page_unpaid() {
    let program = litecoind().expect("litecoind is not installed: `cargo xtask test` does");
    let node = Node::start(&program, &[]);
    let config = format!(
        "rates = {{ url = \"{}\" }}\ncallbacks = {{ private_addresses = true }}\ndeposit_keys = {{ LTC = \"wpkh({ACCOUNT})\" }}\n\
         [chains.LTC]\nurl = \"{}\"\nuser = \"{USER}\"\npassword = \"{PASSWORD}\"\nnetwork = \"regtest\"\n",
        rates(r#"{"LTC": {"EUR": 80, "USD": 90}}"#),
        node.url(),
    );
    visit("on-litecoind", "LTC", &config, async |visit, payment| {
        let page = visit.stage.page();
        let (address, amount) = (payment.wallet_address.clone().unwrap(), expected(&payment));
        assert!(address.starts_with("rltc1q") && amount == "0.5", "{address} {amount}");
        let shown = page.look().await.unwrap();
        assert!(shown.text.contains("Test network (regtest): its coins have no value"), "{}", shown.text);
        assert!(page.scan().await.to_ascii_lowercase().contains(&address));
        assert_eq!(page.copy("copy-address").await, address);

        node.send(&address, &amount);
        visit.keeps("seen").await;
        node.mine(1);
        visit.is_paid().await;

        node.reorganise(2);
        // It waits in the memory pool again.
        visit.is_unpaid("seen", "now has to confirm it").await;
        node.mine(1);
        visit.is_paid().await;
    });
}
