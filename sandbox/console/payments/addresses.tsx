import { NetworkIcon } from "../../../www/desk/components/icon";
import { Copyable, Note, Panel } from "../../../www/desk/components/panel";
import { dateTime } from "../../../www/desk/format";
import type { DepositAddress } from "../model";

export const Addresses = ({ addresses }: { addresses: DepositAddress[] }) => (
  <Panel title="Addresses">
    {addresses.length === 0 ? (
      <Note>The payer gets an address by choosing a currency.</Note>
    ) : (
      <ul class="cells">
        {addresses.map((given) => (
          <AddressCell key={`${given.network} ${given.address} ${given.destinationTag}`} given={given} />
        ))}
      </ul>
    )}
  </Panel>
);

const AddressCell = ({ given: { network, address, destinationTag, createdAt, current } }: { given: DepositAddress }) => (
  <li class="cell">
    <div class="cell-line">
      <span class="with-coin">
        <NetworkIcon network={network} />
        <strong>{network}</strong>
      </span>
      <span class={current ? "pill good" : "pill"}>{current ? "current" : "earlier, still watched"}</span>
    </div>
    <Copyable text={address} what={`the address on ${network}`}>
      <span class="mono" data-part={current ? "address" : undefined} data-value={address}>
        {address}
      </span>
    </Copyable>
    {destinationTag && (
      <Copyable text={destinationTag} what="the tag">
        <span>
          Tag <strong class="mono">{destinationTag}</strong>
        </span>
      </Copyable>
    )}
    <Note>since {dateTime(createdAt)}</Note>
  </li>
);
