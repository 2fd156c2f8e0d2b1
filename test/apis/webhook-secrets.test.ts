import { beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { DAY_MS, HOUR_MS } from "../../src/kernel/clock.ts";
import { hmacSha256 } from "../../src/kernel/crypto.ts";
import { rowsOf } from "../support/customers/customer.ts";
import type { Arrived, Receiver } from "../support/servers/receiver.ts";
import {
  type Customer,
  changeWebhook,
  connectedChannel,
  customer,
  gatewayKeyOf,
  made,
  sendText,
  webhookAt,
} from "../support/tenants/platform.ts";
import { useWorld } from "../support/use-world.ts";

const w = useWorld();
let who: Customer;
let gatewayKey: string;
let channel: { id: string };
beforeAll(async () => {
  who = await customer(w);
  gatewayKey = await gatewayKeyOf(w, who);
  channel = await connectedChannel(w, who);
});

const [OLD, NEW, NEWEST] = ["the-old-secret-of-it", "the-new-secret-of-it", "the-newest-secret-of-it"];

/** Verifies as a customer with the ready-made library does, whose clock must be near ours. */
const verified = (webhook: Webhook, { raw, headers }: Arrived): boolean => {
  setSystemTime(new Date(w.clock.now()));
  try {
    webhook.verify(raw, headers);
    return true;
  } catch {
    return false;
  } finally {
    setSystemTime();
  }
};
const raw = (secret: string) => new Webhook(secret, { format: "raw" });

/** TABLE: how a webhook is made and given another secret on each API, and the header that signs there. */
const APIS = {
  "a phone's webhook": {
    header: "x-gateway-signature",
    make: async (hook: Receiver, secret: string) => {
      const change = async (next: string) => {
        made(
          await w.gateway(`/v1/phones/${channel.id}`, {
            key: gatewayKey,
            method: "PATCH",
            body: { webhook: { url: hook.url, secret: next, events: ["message:status"] } },
          }),
          200,
        );
      };
      made(
        await w.gateway(`/v1/phones/${channel.id}`, { key: gatewayKey, method: "PATCH", body: { webhook: {} } }),
        200,
      ); // or its last one would be changed
      await change(secret);
      return change;
    },
  },
  "a shared webhook": {
    header: "x-gateway-signature",
    make: async (hook: Receiver, secret: string) => {
      const { id } = made(
        await w.gateway("/v1/webhooks", {
          key: gatewayKey,
          body: { label: "Shared", url: hook.url, secret, events: ["message:status"] },
        }),
        201,
      );
      made(
        await w.gateway(`/v1/phones/${channel.id}`, {
          key: gatewayKey,
          method: "PATCH",
          body: { sharedWebhookId: id },
        }),
        200,
      );
      return async (next: string) =>
        void made(
          await w.gateway(`/v1/webhooks/${id}`, { key: gatewayKey, method: "PATCH", body: { secret: next } }),
          200,
        );
    },
  },
  "a platform webhook": {
    header: "x-webhook-signature",
    make: async (hook: Receiver, secret: string) => {
      const id = await webhookAt(w, who.key, hook, { secret });
      return async (next: string) => void (await changeWebhook(w, who.key, id, { secret: next }));
    },
  },
};

/** A message is sent; what arrives of it at the hook first. */
const next = async (hook: Receiver): Promise<Arrived> => {
  const before = hook.arrived.length;
  made(await sendText(w, who.key, channel.id), 202);
  await w.settle();
  const arrived = hook.arrived[before];
  if (!arrived) throw new Error("nothing arrived");
  return arrived;
};
const signed = (secret: string, { raw: body }: Arrived) => `sha256=${hmacSha256(secret, body, "hex")}`;

describe.each(Object.entries(APIS))("the secret of %s", (_, { header, make }) => {
  test("G-586 P-283 after a change both verify for 24 hours by the Standard Webhooks headers, and the documented header is the new one's alone", async () => {
    const hook = w.receiver();
    const change = await make(hook, OLD);
    expect((await next(hook)).headers[`${header}-previous`]).toBeUndefined();
    await change(NEW);
    for (const waitMs of [0, DAY_MS - HOUR_MS]) {
      await w.advance(waitMs);
      const arrived = await next(hook);
      expect([OLD, NEW].map((secret) => verified(raw(secret), arrived))).toEqual([true, true]);
      expect([arrived.headers[header], arrived.headers[`${header}-previous`]]).toEqual([
        signed(NEW, arrived),
        signed(OLD, arrived),
      ]);
    }
    await w.advance(HOUR_MS);
    const after = await next(hook);
    expect([OLD, NEW].map((secret) => verified(raw(secret), after))).toEqual([false, true]);
    expect([after.headers[header], after.headers[`${header}-previous`]]).toEqual([signed(NEW, after), undefined]);
    await w.app.env.db.write(async (tx) => w.app.env.jobs.enqueue(tx, "store.prune", {}));
    await w.settle();
    // nor is it kept
    expect(await rowsOf(w, "SELECT id FROM subscriptions WHERE previous_secret IS NOT NULL", [])).toEqual([]);
  });

  test("the same secret once more changes nothing, and of three the first is good no longer", async () => {
    const hook = w.receiver();
    const change = await make(hook, OLD);
    await change(OLD);
    const [once] = [await next(hook)];
    expect([once.headers[`${header}-previous`], once.headers["webhook-signature"]?.split(" ").length]).toEqual([
      undefined,
      1,
    ]);
    await change(NEW);
    await change(NEWEST);
    const arrived = await next(hook);
    expect([OLD, NEW, NEWEST].map((secret) => verified(raw(secret), arrived))).toEqual([false, true, true]);
  });

  test.each([
    "d2UgYXJlIHRoZSBieXRlcyBvZiBhIHNlY3JldA==",
    "d2UgYXJlIHRoZSBieXRlcyBvZiBhIHNlY3JldA",
    "+/+/+/+/AAAAAAAAAAAAAAAA",
  ])(
    "P-283 a secret in the form of the specification, whsec_%s, verifies in the library's own constructor, and as text as before",
    async (encoded) => {
      const hook = w.receiver();
      const secret = `whsec_${encoded}`;
      const change = await make(hook, secret);
      const arrived = await next(hook);
      expect([verified(new Webhook(secret), arrived), verified(raw(secret), arrived)]).toEqual([true, true]);
      expect(arrived.headers[header]).toBe(signed(secret, arrived));
      await change(NEW);
      const rotated = await next(hook);
      expect([verified(new Webhook(secret), rotated), verified(raw(NEW), rotated)]).toEqual([true, true]);
    },
  );

  test.each(["whsec_no base64 at all!", "whsec_AAAAAAAAAAAAA=AAA", "whsec_AAAAAAAAAAAAA"])(
    "a secret that only begins so (%s) is its text alone",
    async (secret) => {
      const hook = w.receiver();
      await make(hook, secret);
      const arrived = await next(hook);
      expect([verified(raw(secret), arrived), arrived.headers["webhook-signature"]?.split(" ").length]).toEqual([
        true,
        1,
      ]);
    },
  );
});
