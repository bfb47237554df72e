import { flag, unflag } from "../actions/chain";
import { ActionButton } from "../components/button";
import { Field, Form, Input, Select } from "../components/form";
import { Icon, NetworkIcon } from "../../../www/desk/components/icon";
import { Copyable, Fold, Note, Panel } from "../../../www/desk/components/panel";
import { state } from "../store";

export const isFlagged = (network: string, address: string): boolean =>
  (state.overview?.flaggedAddresses ?? []).some((row) => row.network === network && row.address === address);

export function FlaggedSenders() {
  const rows = state.overview?.flaggedAddresses ?? [];
  return (
    <Panel title="Flagged senders">
      <Note>New deposits from these addresses are held; withdrawals to them are blocked.</Note>
      {rows.length > 0 && (
        <ul class="cells">
          {rows.map(({ network, address }) => (
            <li class="cell flagged-line" key={`${network} ${address}`} data-part="flagged-sender" data-value={address}>
              <Copyable text={address} what="the address">
                <span class="with-coin">
                  <NetworkIcon network={network} />
                  <span class="mono">{address}</span>
                </span>
              </Copyable>
              <ActionButton name="unflag" action={() => unflag(network, address)} part="unflag">
                Remove the flag
              </ActionButton>
            </li>
          ))}
        </ul>
      )}
      <FlagForm />
    </Panel>
  );
}

function FlagForm() {
  const networks = (state.overview?.chains ?? []).map(({ network, name }): [string, string] => [network, name]);
  if (networks.length === 0) return null;
  return (
    <Fold title="Flag an address">
      <Form class="grid" name="flag" submit={({ network = "", address = "" }) => flag(network, address.trim())}>
        <Field label="Network">
          <Select name="network" options={networks} part="flag-network" />
        </Field>
        <Field label="Address" hint="A payer's or a recipient's.">
          <Input name="address" required part="flag-address" />
        </Field>
        <button class="act plain" data-part="flag-it">
          <Icon name="flag" />
          Flag it
        </button>
      </Form>
    </Fold>
  );
}
