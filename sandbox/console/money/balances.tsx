import type { ComponentChildren } from "preact";
import { openDialog } from "../actions/dialog";
import { Accounts } from "../components/accounts";
import { ActionButton } from "../components/button";
import { Fold, Note, Panel } from "../../../www/desk/components/panel";
import { state } from "../store";

export function Balances() {
  const { balances = [], business } = state.overview ?? {};
  return (
    <Panel title="Balances">
      {business && (
        <dl class="balances">
          <BalanceOf account="FIAT" asset={business.settlementFiatCurrency} label="Fiat" />
          {cryptoAssets(business.settlementCryptoCurrency).map((asset) => (
            <BalanceOf key={asset} account="CRYPTO" asset={asset} label="Crypto">
              {Number(business.settlementCryptoRatio) === 0 && (
                <dd class="quiet-note">
                  Nothing is settled in crypto. <a href="#/world">Change the terms</a>
                </dd>
              )}
            </BalanceOf>
          ))}
        </dl>
      )}
      <div class="acts">
        <ActionButton name="open withdraw" action={() => openDialog("withdraw")} icon="send" tone="primary" part="withdraw">
          Withdraw
        </ActionButton>
      </div>
      {balances.length > 0 && (
        <Fold title="Ledger accounts">
          <Note>Debts are positive, holdings negative; each asset adds up to zero.</Note>
          <Accounts lines={balances} />
        </Fold>
      )}
    </Panel>
  );
}

/** Without a settlement currency each deposit is settled in its own coin. */
const cryptoAssets = (settlement?: string): string[] =>
  settlement ? [settlement] : (state.overview?.balances ?? []).filter(({ account }) => account === "CRYPTO").map(({ asset }) => asset);

interface BalanceProps {
  account: string;
  asset: string;
  label: string;
  children?: ComponentChildren;
}

function BalanceOf({ account, asset, label, children }: BalanceProps) {
  const amount = state.overview?.balances.find((row) => row.account === account && row.asset === asset)?.amount ?? "0";
  return (
    <div class="balance">
      <dt>{label}</dt>
      <dd data-part="balance" data-value={account} data-amount={amount}>
        {amount} <small>{asset}</small>
      </dd>
      {children}
    </div>
  );
}
