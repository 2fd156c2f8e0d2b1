import { afterAll, expect, test } from "bun:test";
import { CPF, settingsFor, WEBHOOK_TOKEN } from "../../support/billing/billing.ts";
import { clientOf } from "../../support/client.ts";
import { until } from "../../support/graph/fixture.ts";
import { processes } from "../../support/processes/process.ts";
import { startProcessor } from "../../support/processor/index.ts";
import { untilTrue } from "../../support/waiting.ts";
import { ADMIN_TOKEN } from "../../support/world.ts";

const { dataDir, serve } = processes();
const processor = startProcessor({ nowMs: Date.now() });
afterAll(() => processor.stop());

type View = { id: string; status: string; gatewayChargeId: string | null };
const TIME_LIMIT_MS = 120_000;

test(
  "X-134 X-143 kill -9 between the charge and its answer, and after an event was taken: one charge, and what was answered is done",
  async () => {
    const settings = {
      RECADO_DATA_DIR: dataDir(),
      RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
      RECADO_OUTBOUND_ALLOW: "127.0.0.1",
      ...settingsFor(processor),
    };
    let server = await serve(settings);
    const { id: accountId, key } = await clientOf(server, ADMIN_TOKEN).account();
    const ask = <Body>(path: string, body?: object) => clientOf(server, ADMIN_TOKEN).gateway<Body>(path, key, body);
    const notifyPaid = async (event: object) => {
      const answer = await fetch(`${server.gatewayUrl}/v1/payment-webhook`, {
        method: "POST",
        headers: { "asaas-access-token": WEBHOOK_TOKEN },
        body: JSON.stringify(event),
      });
      expect(answer.status).toBe(200);
    };
    await ask("/v1/billing/customer", { cpfCnpj: CPF });
    const { id: invoiceId } = await clientOf(server, ADMIN_TOKEN).admin<View>(`/accounts/${accountId}/invoices`, {
      totalCents: 12_990,
    });

    processor.failNext(1, { kind: "hang", isDone: true }, "charge.create");
    const lost = ask(`/v1/billing/invoices/${invoiceId}/issue`, {}).catch(() => "lost");
    await until(() => processor.payments.size === 1);
    server.signal("SIGKILL");
    expect(await lost).toBe("lost");

    server = await serve(settings);
    const issued = await ask<View>(`/v1/billing/invoices/${invoiceId}/issue`, {});
    expect([issued.status, issued.gatewayChargeId, processor.payments.size]).toEqual([
      "ISSUED",
      processor.chargeOf(invoiceId).id,
      1,
    ]);

    const event = await processor.pay(processor.chargeOf(invoiceId).id);
    await notifyPaid(event);
    server.signal("SIGKILL");
    await server.ended;
    server = await serve(settings);
    await notifyPaid(event);
    let status = "";
    await untilTrue(async () => {
      if (status === "PAID") return true;
      ({ status } = await ask<View>(`/v1/billing/invoices/${invoiceId}`));
      return false;
    });
    const { items } = await ask<{ items: { type: string }[] }>("/v1/events");
    expect(items.map(({ type }) => type)).toEqual(["billing:invoice.paid"]);
  },
  TIME_LIMIT_MS,
);
