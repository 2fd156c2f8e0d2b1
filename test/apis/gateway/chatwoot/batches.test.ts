import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { checkedBatch } from "../../../../src/core/messaging/batches/batch-input.ts";
import { createBatch } from "../../../../src/core/messaging/batches/batches.ts";
import type { TenantId } from "../../../../src/kernel/ids.ts";
import { ACCOUNT, ADMIN_TOKEN, type SimulatedChatwoot, startChatwoot } from "../../../support/chatwoot/server.ts";
import type { Customer } from "../../../support/customers/customer.ts";
import { newSessionCustomer, sessionNetwork, textFrom } from "../../../support/session/scripted-sends.ts";
import { useWorld } from "../../../support/use-world.ts";

// messages of batches, which go to many people at once

const network = sessionNetwork();
const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" }, plugins: [network.plugin] });
const ANA = "5511999990001";
const BIA = "5511999990002";
const DAY = 86_400_000;

let c: Customer;
let chatwoot: SimulatedChatwoot;
beforeEach(async () => {
  network.sent.length = 0;
  chatwoot = startChatwoot({ now: () => w.clock.now() });
  c = await newSessionCustomer(w);
});
afterEach(async () => {
  await chatwoot.called();
  await chatwoot.stop();
});

const connected = async (more: object = {}) => {
  const body = { url: chatwoot.url, chatwootAccountId: ACCOUNT, token: ADMIN_TOKEN, inboxName: "Padaria", ...more };
  const answer = await w.gateway(`/v1/phones/${c.phone.id}/chatwoot`, { key: c.key, method: "PUT", body });
  expect(answer.status).toBe(200);
  await w.settle();
};
/** Runs all that is due, with the webhooks that it causes. */
const settled = async () => {
  for (let round = 0; round < 3; round++) {
    await w.settle();
    await chatwoot.called();
  }
  await w.settle();
};
const says = async (from: string, text: string) => {
  await network.notify(c.phone.id, textFrom(from, { content: { type: "text", content: { text } }, at: w.clock.now() }));
  await settled();
};
/** A batch has gone to these people. */
const batchTo = async (...recipients: string[]) => {
  await createBatch(
    w.app.env,
    { tenantId: c.accountId as TenantId },
    checkedBatch({ channelId: c.phone.id, text: "promoção de pão", recipients }),
    { environment: "live", messagesPerDay: 100, requestId: null },
  );
  const before = network.sent.length;
  for (let round = 0; round < 60 && network.sent.length < before + recipients.length; round++) {
    await w.advance(60_000);
    await settled();
  }
  expect(network.sent).toHaveLength(before + recipients.length);
};
const receipt = async (index: number, status: "delivered" | "read") => {
  const key = network.sent[index]?.order.key;
  await network.notify(c.phone.id, { kind: "receipt", key, status, at: w.clock.now() } as never);
  await settled();
};

describe("the messages of a batch", () => {
  test("begin no conversations, also when they are delivered and read", async () => {
    await connected();
    await batchTo(ANA, BIA);
    for (const status of ["delivered", "read"] as const) await receipt(0, status);
    expect([chatwoot.contacts, chatwoot.conversations, chatwoot.messages]).toEqual([[], [], []]);
  });

  test("come before the person's answer, once", async () => {
    await connected();
    await batchTo(ANA, BIA);
    await says(ANA, "quero");
    await says(ANA, "dois");
    expect(chatwoot.said()).toEqual(["> promoção de pão", "< quero", "< dois"]);
    expect(chatwoot.conversations).toHaveLength(1);
    await receipt(0, "read");
    expect(chatwoot.said()).toHaveLength(3);
    expect(chatwoot.messages[0]?.status).toBe("read");
    expect(network.sent).toHaveLength(2);
  });

  test("come before no answer that is a month late", async () => {
    await connected();
    await batchTo(ANA);
    await w.advance(31 * DAY);
    await says(ANA, "oi");
    expect(chatwoot.said()).toEqual(["< oi"]);
  });

  test("are shown where a conversation is, so that agents see what the person got", async () => {
    await connected();
    await says(ANA, "oi");
    await batchTo(ANA, BIA);
    expect(chatwoot.said()).toEqual(["< oi", "> promoção de pão"]);
  });

  test("begin conversations if that is switched on", async () => {
    await connected({ batches: true });
    await batchTo(ANA, BIA);
    expect(chatwoot.conversations).toHaveLength(2);
    expect(chatwoot.said()).toEqual(["> promoção de pão", "> promoção de pão"]);
  });

  test("do not keep back other messages, which begin conversations as before", async () => {
    await connected();
    await batchTo(ANA);
    await c.sent({ to: BIA, content: { text: "seu pedido saiu" } });
    await settled();
    expect(chatwoot.said()).toEqual(["> seu pedido saiu"]);
  });

  test("are brought later if Chatwoot is away when the person answers, before the answer", async () => {
    await connected();
    await batchTo(ANA);
    chatwoot.failNext("GET", /search/, { status: 503 });
    await says(ANA, "quero");
    expect(chatwoot.messages).toHaveLength(0);
    await w.advance(10_000);
    await settled();
    expect(chatwoot.said()).toEqual(["> promoção de pão", "< quero"]);
  });
});
