// The businesses of this gateway.
import type { Business } from "gateway-api";
import { List } from "../components/list";
import { Badge } from "../components/panel";
import { Table } from "../components/table";
import { date } from "../format";
import type { Label } from "../labels";
import { useDesk, useIsHead } from "../use";

const ACTIVE: Label = { word: "Active", icon: "state-deposited", tone: "good" };
const DISABLED: Label = { word: "Disabled", icon: "drop", tone: "bad" };

export const stateOf = ({ disabled }: Business): Label => (disabled ? DISABLED : ACTIVE);

/** Each once. */
const endpoints = ({ depositReceivedCallbackUrl, withdrawalCallbackUrl, eventUrl }: Business): string[] => [
  ...new Set([depositReceivedCallbackUrl, withdrawalCallbackUrl, eventUrl].filter((url) => url !== undefined)),
];

export function Businesses() {
  const { operator } = useDesk();
  const isHead = useIsHead();
  if (!operator.isOrganisation) return <OwnBusinesses />;
  return (
    <List<Business>
      title="Businesses"
      path="/api/v1/businesses"
      hasFile={false}
      filter={{}}
      columns={["Business", "State", "Endpoints", "Created"]}
      id={({ id }) => id}
      row={(business) => [
        <a class="wrap" href={`#/businesses/${business.id}`} data-part="open" data-value={business.name}>
          {business.name}
        </a>,
        <Badge label={stateOf(business)} part="status" value={business.disabled ? "DISABLED" : "ACTIVE"} />,
        <span class="wrap">{endpoints(business).join(", ") || "none"}</span>,
        date(business.createdAt),
      ]}
      part="business"
      parts="businesses"
      empty="Create the first business: it gets a token for its shop."
      icon="wallet"
      extra={
        isHead && (
          <a class="act plain" href="#/businesses/new" data-part="business-new">
            New business
          </a>
        )
      }
    />
  );
}

/** An operator of one business may not list others. */
function OwnBusinesses() {
  const { operator } = useDesk();
  return (
    <section class="panel" aria-label="Businesses" data-part="businesses">
      <h2>Businesses</h2>
      <Table
        title="Businesses"
        columns={["Business"]}
        rows={operator.businesses}
        id={({ id }) => id}
        cells={({ id, name }) => [
          <a class="wrap" href={`#/businesses/${id}`}>
            {name}
          </a>,
        ]}
        part="business"
      />
    </section>
  );
}
