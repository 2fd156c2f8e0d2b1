import { expect, test } from "bun:test";
import { newCustomer, receivedBy, TO } from "../../../support/customers/customer.ts";
import { hanging } from "../../../support/servers/hostile.ts";
import { useWorld } from "../../../support/use-world.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { addWabaNumber, WEBHOOK_SECRET } from "../../../support/world.ts";

const HANGING = 600;

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });

test("G-610 GAP-G55 600 endpoints that take the request and never answer delay nothing of a healthy one", async () => {
  const healthy = await newCustomer(w);
  const { key } = await w.account("Customer of the hanging ones");
  const endpoint = await hanging();
  const create = async (index: number) => {
    const { number: _, ...credentials } = addWabaNumber(w.graph);
    const webhook = { url: `${endpoint.url}/${index}`, secret: WEBHOOK_SECRET };
    expect(
      (await w.gateway("/v1/phones", { key, body: { type: "WABA", label: `Phone ${index}`, credentials, webhook } }))
        .status,
    ).toBe(201);
  };
  for (let from = 0; from < HANGING; from += 50)
    await Promise.all(Array.from({ length: 50 }, (_, index) => create(from + index)));
  await untilTrue(() => endpoint.requests.length >= HANGING); // each gets channel:connected, and hangs
  expect([endpoint.open, new Set(endpoint.requests.map((request) => request.split(" ", 2)[1])).size]).toEqual([
    HANGING,
    HANGING,
  ]);

  for (let round = 1; round <= 5; round++) {
    await w.graph.inbound.batch(
      Array.from({ length: 10 }, (_, index) => ({
        kind: "text",
        to: healthy.phone.phoneNumberId,
        from: TO,
        text: `${round}.${index}`,
      })),
    );
    await healthy.hook.received(round * 10);
    expect(endpoint.open).toBe(HANGING);
  }
  expect(receivedBy(healthy.hook)).toHaveLength(50);
  const sent = await healthy.send();
  await healthy.hook.received(51);
  expect([(await healthy.message(sent.body.messageId)).status, endpoint.open]).toEqual(["SENT", HANGING]);

  await endpoint[Symbol.asyncDispose]();
  await w.settle();
  const { body } = await w.gateway("/v1/events?limit=200", { key });
  expect(
    new Set(
      body.items.map(
        ({ status, attempts, lastError }: { status: string; attempts: number; lastError: string }) =>
          `${status} ${attempts} ${lastError.split(":")[0]}`,
      ),
    ),
  ).toEqual(new Set(["PENDING 1 aborted"]));
}, 120_000);
