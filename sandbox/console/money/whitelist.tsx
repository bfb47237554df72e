import { openDialog } from "../actions/dialog";
import { ActionButton } from "../components/button";
import { NetworkIcon } from "../../../www/desk/components/icon";
import { Copyable, Empty, Note, Panel } from "../../../www/desk/components/panel";
import { pairLabel } from "../currencies";
import { dateTime } from "../../../www/desk/format";
import type { WhitelistedAddress } from "../model";
import { state } from "../store";

export function Whitelist() {
  const rows = state.overview?.whitelist ?? [];
  return (
    <Panel title="Whitelist">
      {rows.length === 0 ? (
        <Empty icon="lock" title="No whitelisted addresses yet" text="Add one here, or with POST /whitelist-addresses." />
      ) : (
        <ul class="cells">
          {rows.map((row) => (
            <AddressCell key={row.id} row={row} />
          ))}
        </ul>
      )}
      <div class="acts">
        <ActionButton name="open whitelist" action={() => openDialog("whitelist")} icon="plus" part="whitelist">
          Add an address
        </ActionButton>
      </div>
    </Panel>
  );
}

function AddressCell({ row }: { row: WhitelistedAddress }) {
  const { clientAddressId, currency, network, address, destinationTag, label, createdAt } = row;
  const initial = {
    pair: `${currency}/${network}`,
    recipientAddress: destinationTag ? `${address}?dt=${destinationTag}` : address,
  };
  return (
    <li class="cell" data-part="whitelisted" data-value={clientAddressId}>
      <div class="cell-line">
        <strong>{label ?? clientAddressId}</strong>
        <span class="with-coin">
          <NetworkIcon network={network} />
          {pairLabel(currency, network)}
        </span>
      </div>
      <Copyable text={address} what="the address">
        <span>
          <span class="mono">{address}</span>
          {destinationTag && ` tag ${destinationTag}`}
        </span>
      </Copyable>
      <Note>
        {label && `${clientAddressId} · `}since {dateTime(Number(createdAt))}
      </Note>
      <div class="acts">
        <ActionButton name="open withdraw" action={() => openDialog("withdraw", initial)} icon="send" part="withdraw-to">
          Withdraw to it
        </ActionButton>
      </div>
    </li>
  );
}
