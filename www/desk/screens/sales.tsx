import type { Counter, SaleLink } from "gateway-api";
import { gateway, post } from "../api";
import { tell } from "../announce";
import { Ask } from "../components/ask";
import { CopyButton } from "../components/copy";
import { List } from "../components/list";
import { Badge } from "../components/panel";
import { date, money } from "../format";
import { SALE, type Label, labelOf } from "../labels";
import { NewCounter, NewSaleLink } from "../sales/forms";
import { useDesk } from "../use";

const OPEN: Label = SALE.OPEN!;
const WITHDRAWN: Label = SALE.WITHDRAWN!;

function price({ displayAmount, minAmount, maxAmount, displayCurrency: currency }: SaleLink): string {
  if (displayAmount) return money(displayAmount, currency);
  return `${money(minAmount!, currency)} to ${money(maxAmount!, currency)}`;
}

const sold = ({ paid, open, stock }: SaleLink): string =>
  `${paid}${stock === undefined ? "" : ` of ${stock}`}${open > 0 ? `, ${open} being paid` : ""}`;

/** What is sold without a shop: by links, and at counters. */
export function Sales() {
  const { business, operator } = useDesk();
  const isManager = operator.role === "manager";
  return (
    <>
      <List<SaleLink>
        title="Sale links"
        path="/api/v1/sale-links"
        hasFile={false}
        filter={{ businessId: business }}
        columns={["Title", "State", "Price", "Sold", "Link", "Decide"]}
        id={({ linkId }) => linkId}
        value={({ slug }) => slug}
        row={(link, reload) => [
          <span class="wrap">{link.title}</span>,
          <Badge label={labelOf(SALE, link.status)} part="status" value={link.status} />,
          price(link),
          sold(link),
          <span class="long">
            <a class="wrap" href={link.url} target="_blank" rel="noreferrer">
              /buy/{link.slug}
            </a>
            <CopyButton text={link.url} what="the link" />
          </span>,
          isManager && link.status !== "WITHDRAWN" && (
            <Withdraw what="the link" path={`/api/v1/sale-links/${link.linkId}`} done={reload}>
              Its page sells nothing more, for good, and its address is never used again. What was begun can still be paid.
            </Withdraw>
          ),
        ]}
        part="sale-link"
        empty="A link sells without a shop: a page with a title, a price and a button."
        icon="link"
        extra={isManager && <NewSaleLink />}
      />
      <List<Counter>
        title="Counters"
        path="/api/v1/counters"
        hasFile={false}
        filter={{ businessId: business }}
        columns={["Counter", "State", "One sale", "Created", "Decide"]}
        id={({ counterId }) => counterId}
        value={({ title }) => title}
        row={(counter, reload) => [
          <span class="wrap">{counter.title}</span>,
          <Badge label={counter.withdrawnAt ? WITHDRAWN : OPEN} part="status" value={counter.withdrawnAt ? "WITHDRAWN" : "OPEN"} />,
          `up to ${money(counter.maxAmount, counter.displayCurrency)}`,
          date(counter.createdAt),
          isManager && !counter.withdrawnAt && (
            <Withdraw what="the counter" path={`/api/v1/counters/${counter.counterId}`} done={reload}>
              Its link is worth nothing any more, at once and for good. What was begun can still be paid.
            </Withdraw>
          ),
        ]}
        part="counter"
        empty="A counter is a page for a phone in a shop: you type an amount, and your buyer scans the code."
        icon="gauge"
        extra={isManager && <NewCounter />}
      />
    </>
  );
}

interface WithdrawProps {
  what: string;
  path: string;
  done: () => Promise<void>;
  children: string;
}

function Withdraw({ what, path, done, children }: WithdrawProps) {
  const act = async () => {
    await post(gateway(`${path}/withdraw`));
    tell("Withdrawn");
    await done();
  };
  return (
    <Ask label="Withdraw" icon="drop" isGrave title={`Withdraw ${what}?`} button="Withdraw it" part="withdraw" act={act}>
      {() => <p>{children}</p>}
    </Ask>
  );
}
