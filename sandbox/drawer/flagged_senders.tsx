import { Choice, Field } from "../../www/desk/components/fields";
import { Fold, Note } from "../../www/desk/components/panel";
import { ActButton, ActForm } from "./acts";
import { flag, useNetworks, useWorld } from "./world";

export function FlaggedSenders() {
  const networks = useNetworks();
  const rows = useWorld()?.flaggedAddresses ?? [];
  return (
    <section class="panel" data-part="flags">
      <Fold title={rows.length > 0 ? `Flagged addresses (${rows.length})` : "Flagged addresses"}>
        <Note>New deposits from these addresses are held; withdrawals to them are blocked.</Note>
        <ul class="cells">
          {rows.map(({ network, address }) => (
            <li class="cell" key={`${network} ${address}`} data-part="flagged" data-value={address}>
              <span class="mono wrap">
                {network} {address}
              </span>
              <ActButton act={() => flag(network, address, false)} part="unflag">
                Remove the flag
              </ActButton>
            </li>
          ))}
        </ul>
        <ActForm act={({ network = "", address = "" }) => flag(network, address)} button="Flag it" part="flag">
          {(errorOf) => (
            <>
              <Choice label="Network" name="network" options={networks} error={errorOf("network")} />
              <Field label="Address" name="address" required error={errorOf("address")} hint="A payer's or a recipient's." />
            </>
          )}
        </ActForm>
      </Fold>
    </section>
  );
}
