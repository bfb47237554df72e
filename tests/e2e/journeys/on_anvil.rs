use checkout_test_nodes::{Anvil, rates};
use serde_json::json;

use crate::on_chain::visit;
use crate::support::sandbox::expected;

/// An account key from BIP-84's vectors; on EVM networks any key has addresses.
const ACCOUNT: &str = "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V";

#[test]
fn a_reorganisation_of_anvil_makes_a_paid_page_unpaid() {
    let node = Anvil::start();
    let config = format!(
        "rates = {{ url = \"{}\" }}\ncallbacks = {{ private_addresses = true }}\ndeposit_keys = {{ ETH = \"{ACCOUNT}\" }}\n\
         [chains.ETH]\nurl = \"{}\"\npoll_seconds = 1\nchain_id = 31337\nname = \"anvil\"\nconfirmations = 2\n",
        rates(r#"{"ETH": {"EUR": 2000, "USD": 2200}}"#),
        node.url(),
    );
    visit("on-anvil", "ETH", &config, async |visit, payment| {
        let page = visit.stage.page();
        let (address, amount) = (payment.wallet_address.clone().unwrap(), expected(&payment));
        assert_eq!(amount, "0.02");
        let shown = page.look().await.unwrap();
        assert!(shown.text.contains("Test network (anvil): its coins have no value"), "{}", shown.text);
        assert_eq!(page.scan().await, address, "no payment link, which a wallet opens on the main network");
        assert_eq!(page.copy("copy-address").await, address);

        let transaction = node.pay(&address, &amount);
        node.mine(1);
        visit.keeps("seen").await;
        page.until("counts", |page| page.text.contains("1 of 2 confirmations")).await;
        node.mine(1);
        visit.is_paid().await;
        let raw = node.ask("eth_getRawTransactionByHash", &json!([transaction]));

        node.reorganise(2);
        visit.is_unpaid("pay", "no longer on the network").await;
        node.ask("eth_sendRawTransaction", &json!([raw]));
        node.mine(2);
        visit.is_paid().await;
    });
}
