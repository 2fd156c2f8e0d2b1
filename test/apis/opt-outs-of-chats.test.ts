import { beforeEach, describe, expect, test } from "bun:test";
import type { ChannelPlugin } from "../../src/contract/plugin.ts";
import { newCustomer } from "../support/customers/customer.ts";
import { posterNetwork } from "../support/networks/poster.ts";
import { made } from "../support/tenants/platform.ts";
import { useWorld } from "../support/use-world.ts";
import { untilConnected, WEBHOOK_SECRET } from "../support/world.ts";

const poster = posterNetwork();
/** A network that may have several chats with a person. */
const plugin: ChannelPlugin = {
  ...poster.plugin,
  address: (to) => (to.startsWith("uid:") ? { ok: true, to } : { ok: false, code: "RECIPIENT_INVALID" }),
};
const w = useWorld({ plugins: [plugin] });
let c: { key: string; phoneId: string };
beforeEach(async () => {
  const { key } = await newCustomer(w);
  const webhook = { url: w.receiver().url, secret: WEBHOOK_SECRET };
  const body = { type: "POSTER", label: "Torpedos", credentials: { token: "a-token" }, webhook };
  const { id: phoneId } = made(await w.gateway("/v1/phones", { key, body }), 201);
  await untilConnected(w, phoneId);
  c = { key, phoneId };
});

const [OWN, CHAT, OTHER_CHAT, STRANGER, STRANGERS_CHAT] = ["4711", "4711/a", "4711/b", "47110", "4711-2/a"];
const writes = async (uid: string) => {
  const content = { type: "text", content: { text: "oi" } } as const;
  const at = w.clock.now();
  const [from, chat, key] = [{ uid }, { uid }, `of-${uid}-${at}` as never];
  await poster.notify(c.phoneId, { kind: "received", key, at, from, chat, pushName: null, content });
  await w.settle();
};
const wishes = async (uid: string, state: "opted_out" | "opted_in") => {
  await w.advance(1000);
  const at = w.clock.now();
  await poster.notify(c.phoneId, { kind: "consent", at, nativeId: `${state}-${at}`, from: { uid }, state });
  await w.settle();
};
/** The statuses of a send to each. */
const sends = (...uids: string[]) =>
  Promise.all(
    uids.map(async (uid) => {
      const body = { phoneId: c.phoneId, to: `uid:${uid}`, type: "text", content: { text: "promo" } };
      return (await w.gateway("/v1/messages", { key: c.key, body })).status;
    }),
  );
const contacts = async (): Promise<{ id: string; optedOutAt: string | null }[]> =>
  made(await w.gateway("/v1/contacts", { key: c.key }), 200).items;

describe("a person with several chats", () => {
  test.each([[OWN], [CHAT]])("who opts out as %s gets no message in any of them, and others do", async (uid) => {
    for (const one of [OWN, CHAT, STRANGER, STRANGERS_CHAT]) await writes(one);
    await wishes(uid, "opted_out");
    expect(await sends(OWN, CHAT, OTHER_CHAT)).toEqual([409, 409, 409]);
    expect(await sends(STRANGER, STRANGERS_CHAT)).toEqual([202, 202]);
    expect((await contacts()).filter(({ optedOutAt }) => optedOutAt !== null)).toHaveLength(2);
  });

  test("opts in again for all of them, whichever of them says so", async () => {
    for (const one of [OWN, CHAT]) await writes(one);
    await wishes(OWN, "opted_out");
    await wishes(OTHER_CHAT, "opted_in");
    expect(await sends(OWN, CHAT, OTHER_CHAT)).toEqual([202, 202, 202]);
  });

  test("is opted out and in by a request for one of the contacts", async () => {
    for (const one of [OWN, CHAT]) await writes(one);
    const [first, second] = await contacts();
    made(await w.gateway(`/v1/contacts/${first?.id}/opt-out`, { key: c.key, method: "PUT" }), 200);
    expect(await sends(OWN, CHAT, OTHER_CHAT)).toEqual([409, 409, 409]);
    made(await w.gateway(`/v1/contacts/${second?.id}/opt-out`, { key: c.key, method: "DELETE" }), 200);
    expect(await sends(OWN, CHAT, OTHER_CHAT)).toEqual([202, 202, 202]);
  });
});
