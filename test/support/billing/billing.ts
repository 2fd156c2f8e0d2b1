import { rowsOf } from "../customers/customer.ts";
import { type SimulatedProcessor, startProcessor } from "../processor/index.ts";
import type { Receiver } from "../servers/receiver.ts";
import { type Answer, startWorld, WEBHOOK_SECRET, type World } from "../world.ts";

export const WEBHOOK_TOKEN = "the-token-of-the-processors-webhooks";
export const CPF = "24971563792";
export const CNPJ = "11222333000181";
/** Ten days after the start of a world. */
export const IN_TEN_DAYS = "2026-11-30";

/** The settings of an operator who uses it. */
export const settingsFor = ({ url, apiKey }: SimulatedProcessor): Record<string, string> => ({
  RECADO_PROCESSOR_URL: url,
  RECADO_PROCESSOR_API_KEY: apiKey,
  RECADO_PROCESSOR_WEBHOOK_TOKEN: WEBHOOK_TOKEN,
});

/** A world whose operator has a payment processor. Events of it are kept back until `listen`. */
export type BilledWorld = World & { processor: SimulatedProcessor; listen(header?: string): void };

export const startBilledWorld = async (env: Record<string, string> = {}): Promise<BilledWorld> => {
  const processor = startProcessor();
  const world = await startWorld({
    env: { RECADO_GATEWAY_RATE: "100000", ...settingsFor(processor), ...env },
    logLevel: "debug",
  });
  const stop = world.stop;
  const listen = (header = "asaas-access-token") =>
    void (processor.webhook = { url: `${world.app.gatewayUrl}/v1/payment-webhook`, token: WEBHOOK_TOKEN, header });
  return Object.assign(world, {
    processor,
    listen,
    async stop() {
      await stop();
      await processor.stop();
    },
  });
};

/** An account that the processor knows, with a webhook that gets the events of its invoices. */
export type Payer = {
  accountId: string;
  key: string;
  hook: Receiver;
  /** An OPEN invoice of so much; its id. */
  owes(totalCents?: number, dueDate?: string): Promise<string>;
  issue(id: string, body?: object): Promise<Answer>;
  /** An invoice that is charged; its id and that of its charge. */
  charged(totalCents?: number): Promise<{ id: string; chargeId: string }>;
  invoice(id: string): Promise<any>;
  /** The events of an invoice, in short: `paid`, `failed <reason>`. */
  received(id: string): Promise<string[]>;
};

export const newPayer = async (w: BilledWorld, { isKnown = true, isListening = false } = {}): Promise<Payer> => {
  const { id: accountId, key } = await w.account("Padaria São João");
  const hook = w.receiver();
  if (isListening)
    await w.wabaPhone(key, {
      webhook: { url: hook.url, secret: WEBHOOK_SECRET, events: ["billing:invoice.paid", "billing:invoice.failed"] },
    });
  if (isKnown) expectMade(await w.gateway("/v1/billing/customer", { key, body: { cpfCnpj: CPF } }), 201);
  const owes: Payer["owes"] = async (totalCents = 12_990, dueDate) =>
    expectMade(
      await w.gateway(`/v1/admin/accounts/${accountId}/invoices`, {
        admin: true,
        body: { totalCents, ...(dueDate ? { dueDate } : {}) },
      }),
      201,
    ).id;
  const issue: Payer["issue"] = (id, body) =>
    w.gateway(`/v1/billing/invoices/${id}/issue`, { key, method: "POST", ...(body ? { body } : {}) });
  return {
    accountId,
    key,
    hook,
    owes,
    issue,
    async charged(totalCents) {
      const id = await owes(totalCents);
      return { id, chargeId: expectMade(await issue(id), 200).gatewayChargeId };
    },
    invoice: async (id) => expectMade(await w.gateway(`/v1/billing/invoices/${id}`, { key }), 200),
    async received(id) {
      const rows = await rowsOf<{ type: string; body: string }>(
        w,
        "SELECT type, body FROM events WHERE tenant_id = ?1 AND type LIKE 'billing:%' ORDER BY seq",
        [accountId],
      );
      const data = rows.map(({ type, body }) => ({
        type,
        ...(JSON.parse(body) as { data: { invoiceId: string; reason?: string } }).data,
      }));
      return data
        .filter(({ invoiceId }) => invoiceId === id)
        .map(({ type, reason }) => [type.replace("billing:invoice.", ""), reason].filter(Boolean).join(" "));
    },
  };
};

const expectMade = (answer: Answer, status: number): any => {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer.body;
};

/** The orders to the processor, without mere questions. */
export const ordersTo = ({ processor }: BilledWorld) => processor.asked.filter(({ method }) => method !== "GET");
/** The bodies of its orders for charges of an invoice. */
export const chargesFor = (w: BilledWorld, id: string): any[] =>
  ordersTo(w).flatMap(({ method, path, body }) =>
    method === "POST" && path === "/v3/payments" && (body as { externalReference: string }).externalReference === id
      ? [body]
      : [],
  );
