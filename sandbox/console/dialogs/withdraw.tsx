import { fillIn } from "../actions/dialog";
import { Field, Input, Select, codes, errorOf } from "../components/form";
import { fiatCodes, findPair, pairOptions } from "../currencies";
import { type Dialog, state } from "../store";
import { AddressField, TagField } from "./address_field";
import { Costs } from "./costs";

const balance = (account: string): string => state.overview?.balances.find((row) => row.account === account)?.amount ?? "0";

/** The form of a withdrawal. Its costs are previewed while it is filled in. */
export function Withdraw({ dialog }: { dialog: Dialog }) {
  const { settlementCryptoCurrency: coin = "", settlementFiatCurrency: fiat = "" } = state.overview?.business ?? {};
  const accounts: [string, string][] = [
    ["FIAT", `Fiat balance · ${balance("FIAT")} ${fiat}`],
    ["CRYPTO", `Crypto balance · ${balance("CRYPTO")} ${coin}`],
  ];
  const options = pairOptions("withdrawal");
  const pair = findPair(dialog.values.pair ?? options[0]?.[0] ?? "");
  const known = (state.overview?.whitelist ?? []).filter((row) => row.currency === pair?.currency && row.network === pair?.network);
  return (
    <>
      <Field label="From" error={errorOf("withdrawalAccount")}>
        <Select
          name="withdrawalAccount"
          options={accounts}
          initial="FIAT"
          autofocus
          part="withdraw-account"
          error={errorOf("withdrawalAccount")}
        />
      </Field>
      <Field label="Currency and network" error={errorOf("withdrawCurrency", "network")}>
        <Select
          name="pair"
          options={options}
          initial={dialog.initial.pair}
          part="withdraw-pair"
          error={errorOf("withdrawCurrency", "network")}
        />
      </Field>
      <AddressField
        key="address"
        name="recipientAddress"
        label="To"
        pair={pair}
        hint={known.length > 0 ? "Any address; whitelisted ones are suggested." : "Any address on that network."}
        initial={dialog.initial.recipientAddress}
        list="whitelisted"
        part="withdraw-address"
      >
        <datalist id="whitelisted">
          {known.map(({ id, address, destinationTag, label, clientAddressId }) => (
            <option key={id} value={destinationTag ? `${address}?dt=${destinationTag}` : address}>
              {label ?? clientAddressId}
            </option>
          ))}
        </datalist>
      </AddressField>
      <TagField key="tag" pair={pair} hint="Leave it empty for none, or write it after the address as ?dt=…" part="withdraw-tag" />
      <Field
        key="amount"
        label="Amount"
        error={errorOf("targetAmount")}
        hint={pair && `From ${pair.minimum} to ${pair.maxAmount} ${pair.currency}.`}
      >
        <Input name="targetAmount" inputmode="decimal" required part="withdraw-amount" error={errorOf("targetAmount")} />
      </Field>
      <Field
        key="unit"
        label="Unit"
        error={errorOf("displayCurrency", "targetAmountPolicy")}
        hint={pair && <Smallest amount={pair.minimum} currency={pair.currency} />}
      >
        <Select
          name="unit"
          options={[["CRYPTO", pair?.currency ?? "crypto"], ...codes(fiatCodes())]}
          initial={fiat}
          part="withdraw-unit"
          error={errorOf("displayCurrency", "targetAmountPolicy")}
        />
      </Field>
      <Field key="id" label="Your id" error={errorOf("clientWithdrawalId")} hint="Unique. The same request again sends nothing.">
        <Input
          name="clientWithdrawalId"
          defaultValue={dialog.suggestedId}
          required
          part="withdraw-id"
          error={errorOf("clientWithdrawalId")}
        />
      </Field>
      <Costs key="costs" pair={pair} preview={dialog.preview} />
    </>
  );
}

/** Fills in the minimum. */
function Smallest({ amount, currency }: { amount: string; currency: string }) {
  const fill = () => {
    fillIn("unit", "CRYPTO");
    fillIn("targetAmount", amount);
  };
  return (
    <>
      {"Or "}
      <button type="button" class="link" data-part="smallest" onClick={fill}>
        the minimum, {amount} {currency}
      </button>
    </>
  );
}
