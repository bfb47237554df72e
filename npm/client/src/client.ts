import type {
  AddressRefund,
  Approve,
  AddressValidity,
  Balance,
  CreatePayment,
  CreateRefund,
  CreateWithdrawal,
  CreatedPayment,
  Currency,
  Deposit,
  ListedDeposit,
  ListedRefund,
  ListedWithdrawal,
  Network,
  Payment,
  UpdatePayment,
  UpdatedPayment,
  Withdrawal,
  operations,
} from "./api.js";
import { type CheckoutOptions, Http, type RequestOptions } from "./http.js";
import { rows } from "./pages.js";

/** The filters of a list. `limit` is the size of a page. */
export type ListFilter<Operation extends keyof operations> = Omit<
  NonNullable<operations[Operation]["parameters"]["query"]>,
  "before"
>;

const API = "/api/v1";

/** A part of a path. `.` and `..` would lead to another path. */
function segment(text: string): string {
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${JSON.stringify(text)} is no id.`);
  return encodeURIComponent(text);
}

/** A gateway, with the rights of one token. */
export class Checkout {
  readonly payments: Payments;
  readonly refunds: Refunds;
  readonly deposits: Deposits;
  readonly withdrawals: Withdrawals;
  readonly #http: Http;

  constructor(options: CheckoutOptions) {
    this.#http = new Http(options);
    this.payments = new Payments(this.#http);
    this.refunds = new Refunds(this.#http);
    this.deposits = new Deposits(this.#http);
    this.withdrawals = new Withdrawals(this.#http);
  }

  /** `businessId` is for organisation keys. */
  balances(businessId?: string): Promise<Balance[]> {
    return this.#http.request("GET", `${API}/balances`, { query: { businessId } });
  }

  /** Whether an address, and the tag that belongs to it, can receive a currency. */
  validateAddress(currency: Currency, network: Network, address: string, tag?: string): Promise<AddressValidity> {
    const path = `${API}/currency/${segment(currency)}/network/${segment(network)}/address/${segment(address)}`;
    return this.#http.request("GET", tag === undefined ? `${path}/valid` : `${path}/destinationTag/${segment(tag)}/valid`);
  }

  /** Any other request of the API, by its path: `/api/v1/rates`. */
  request<Answer>(method: string, path: string, options?: RequestOptions): Promise<Answer> {
    return this.#http.request(method, path, options);
  }
}

class Resource {
  protected readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }
}

export class Payments extends Resource {
  /** The same `clientPaymentId` again returns the stored answer, so this is repeated after a lost one. */
  create(payment: CreatePayment): Promise<CreatedPayment> {
    return this.http.request("POST", `${API}/payments`, { body: payment, repeatable: true });
  }

  get(paymentId: string): Promise<Payment> {
    return this.http.request("GET", path(paymentId));
  }

  list(filter: ListFilter<"listPayments"> = {}): AsyncGenerator<Payment, void, void> {
    return rows(this.http, `${API}/payments`, "paymentId", filter);
  }

  /** Chooses the currency, for a page of your own: the answer has address and amount. */
  choose(paymentId: string, choice: UpdatePayment): Promise<UpdatedPayment> {
    return this.http.request("PATCH", path(paymentId), { body: choice });
  }

  cancel(paymentId: string): Promise<Payment> {
    return this.http.request("POST", `${path(paymentId)}/cancel`);
  }

  deposits(paymentId: string, filter: ListFilter<"listPaymentDeposits"> = {}): AsyncGenerator<Deposit, void, void> {
    return rows(this.http, `${path(paymentId)}/deposits`, "id", filter);
  }

  /** The rest, or a part. The same `clientRefundId` again returns the same refund. */
  refund(paymentId: string, refund: CreateRefund): Promise<ListedRefund> {
    return this.http.request("POST", `${path(paymentId)}/refunds`, { body: refund, repeatable: true });
  }
}

export class Refunds extends Resource {
  get(refundId: string): Promise<ListedRefund> {
    return this.http.request("GET", refund(refundId));
  }

  list(filter: ListFilter<"listRefunds"> = {}): AsyncGenerator<ListedRefund, void, void> {
    return rows(this.http, `${API}/refunds`, "refundId", filter);
  }

  /** Gives a refund the address that it waits for. */
  address(refundId: string, recipient: AddressRefund): Promise<ListedRefund> {
    return this.http.request("POST", `${refund(refundId)}/address`, { body: recipient });
  }

  /** Approves what was seen: address, tag and amount. If others stand there now, it is refused (`address_changed`). */
  approve(refundId: string, seen: Approve): Promise<ListedRefund> {
    return this.http.request("POST", `${refund(refundId)}/approve`, { body: seen });
  }

  cancel(refundId: string): Promise<ListedRefund> {
    return this.http.request("POST", `${refund(refundId)}/cancel`);
  }
}

export class Deposits extends Resource {
  list(filter: ListFilter<"listDeposits"> = {}): AsyncGenerator<ListedDeposit, void, void> {
    return rows(this.http, `${API}/deposits`, "id", filter);
  }
}

export class Withdrawals extends Resource {
  /** The same `clientWithdrawalId` again returns the stored answer, so this is repeated after a lost one. */
  create(withdrawal: CreateWithdrawal): Promise<Withdrawal> {
    return this.http.request("POST", `${API}/withdrawals`, { body: withdrawal, repeatable: true });
  }

  get(withdrawalId: string): Promise<ListedWithdrawal> {
    return this.http.request("GET", `${API}/withdrawals/${segment(withdrawalId)}`);
  }

  list(filter: ListFilter<"listWithdrawals"> = {}): AsyncGenerator<ListedWithdrawal, void, void> {
    return rows(this.http, `${API}/withdrawals`, "withdrawId", filter);
  }
}

function path(paymentId: string): string {
  return `${API}/payments/${segment(paymentId)}`;
}

function refund(refundId: string): string {
  return `${API}/refunds/${segment(refundId)}`;
}
