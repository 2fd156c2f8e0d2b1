/** How somebody pays; UNDEFINED leaves it to the payer. */
export const BILLING_TYPES = ["BOLETO", "PIX", "CREDIT_CARD", "UNDEFINED"] as const;
export type BillingType = (typeof BILLING_TYPES)[number];

export type PayingCustomer = {
  cpfCnpj: string;
  name: string;
  email?: string;
  phone?: string;
  addressLine?: string;
  addressNumber?: string;
  province?: string;
  postalCode?: string;
};

/**
 * What can be told of a charge. `refused`: a payment was tried and failed, another may be tried. `charged-back`: the
 * payer's bank takes the money back. `undone`: a payment noted by hand was taken back. `restored`: a deleted charge is
 * there again.
 */
export type ChargeChange =
  | "paid"
  | "overdue"
  | "refused"
  | "charged-back"
  | "refunded"
  | "deleted"
  | "restored"
  | "undone";

/**
 * A charge as the processor has it. `status` and `billingType` are its own words, `news` what the status tells us;
 * `dueDate` a day (`YYYY-MM-DD`).
 */
export type Charge = {
  id: string;
  status: string;
  change: ChargeChange | null;
  billingType: string;
  valueCents: number;
  dueDate: string;
  invoiceUrl: string | null;
  boletoUrl: string | null;
};

/** `pixQrCode` is a PNG in base64. Each is null where it does not apply. */
export type PaymentLinks = { pixQrCode: string | null; pixCopyPaste: string | null; boletoBarcode: string | null };

/**
 * What the processor tells of a charge. `name` is its own word for what happened, `news` is null where that is nothing
 * to us. `place` is a text that sorts the events of a charge in the order in which they happened, whatever the order in
 * which they come.
 */
export type ProcessorEvent = {
  name: string;
  change: ChargeChange | null;
  place: string;
  chargeId: string | null;
  reference: string | null;
  /** What was charged, without interest that came on top; null where it is not said. */
  valueCents: number | null;
};

/**
 * `refused`: the processor said no, in its own words. `unavailable`: it could not be asked, or did not answer clearly:
 * what was asked may have happened.
 */
export type ProcessorResult<T> =
  | { ok: true; value: T }
  | { ok: false; kind: "refused"; status: number; errors: readonly { code: string; description: string }[] }
  | { ok: false; kind: "unavailable"; reason: string };

/**
 * What is asked of the payment processor. None of this throws. `reference` is our own id of a thing: what was made
 * under it before is found, not made again.
 */
export type Processor = {
  name: string;
  /** `id`: the processor's own, null where we know none. */
  saveCustomer(
    customer: PayingCustomer & { reference: string; id: string | null },
  ): Promise<ProcessorResult<{ id: string }>>;
  createCharge(charge: {
    customerId: string;
    billingType: BillingType;
    valueCents: number;
    dueDate: string;
    reference: string;
    description: string;
  }): Promise<ProcessorResult<Charge>>;
  /** A deleted one is found by its `id` alone, null where we know none. */
  findCharge(named: { reference: string; id: string | null }): Promise<ProcessorResult<Charge | undefined>>;
  paymentLinks(charge: Charge): Promise<ProcessorResult<PaymentLinks>>;
  /** Also succeeds when there is none. */
  cancelCharge(id: string): Promise<ProcessorResult<true>>;
  /** Reads any JSON value that is posted to us; what is not there is null, and what is unknown no news. */
  readEvent(body: unknown, receivedAt: number): ProcessorEvent & { id: string | null };
  /** The place among a charge's events of what is learnt at this moment. */
  placeOf(atMs: number): string;
};
