import { beforeAll, expect, test } from "bun:test";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { type Customer, connectedChannel, customer, gatewayKeyOf, made } from "../support/tenants/platform.ts";
import { useWorld } from "../support/use-world.ts";
import type { Answer } from "../support/world.ts";

const NUMBER = "5511911110001";
const WRITTEN = ["+55 11 91111-0001", "(55) 11 91111-0001", "+55(11)911110001", "55 11 911110001"];

const w = useWorld();
let who: Customer;
let key: string;
let channel: Awaited<ReturnType<typeof connectedChannel>>;
let sessionId: string;
beforeAll(async () => {
  who = await customer(w);
  key = await gatewayKeyOf(w, who);
  channel = await connectedChannel(w, who);
  sessionId = made(
    await w.platform("/v1/channels", { key: who.key, body: { name: "A", type: "CHAT_SESSION" } }),
    201,
  ).id;
});

/** What reached the network last was for this number. */
const lastSentTo = async () => {
  await w.settle();
  return [...w.graph.sent.values()].at(-1)?.recipient.waId;
};
const ofPlatform = (path: string, body: object, as = who.key): Promise<Answer> => w.platform(path, { key: as, body });
const ofGateway = (path: string, body: object): Promise<Answer> => w.gateway(path, { key, body });
const text = { type: "text", content: { text: "olá" } };

/** TABLE: every place that takes a number, and the number that comes of it there. */
const PLACES: Record<string, (written: string) => Promise<unknown>> = {
  "a send of the gateway": async (to) => {
    made(await ofGateway("/v1/messages", { phoneId: channel.id, to, ...text }), 202);
    return lastSentTo();
  },
  "a send of the platform": async (to) => {
    made(await ofPlatform(`/v1/channels/${channel.id}/messages/text`, { to, text: "olá" }), 202);
    return lastSentTo();
  },
  "a scheduled message": async (to) => {
    made(
      await ofGateway("/v1/messages/scheduled", {
        scheduledAt: new Date(w.clock.now() + 60_000).toISOString(),
        payload: { phoneId: channel.id, to, ...text },
      }),
      201,
    );
    await w.advance(60_000);
    return lastSentTo();
  },
  "a batch, where two spellings are one recipient": async (to) => {
    const { batchId } = made(
      await ofPlatform("/v1/bulk", { channelId: channel.id, text: "olá", recipients: [to, { to: NUMBER }] }),
      202,
    );
    const sentTo = await lastSentTo();
    await w.advance(60_000);
    expect(
      made(await w.platform(`/v1/bulk/${batchId}`, { key: who.key }), 200).errors.map(
        (one: { code: string }) => one.code,
      ),
    ).toEqual(["DUPLICATE_RECIPIENT"]);
    return sentTo;
  },
  "the validation of a batch": async (to) =>
    made(await ofPlatform("/v1/bulk/validate", { numbers: [to] }), 200).valid.length === 1 ? NUMBER : undefined,
  "a contact, and its search": async (to) => {
    const stranger = await customer(w);
    const { id, phoneNumber } = made(
      await w.platform("/v1/contacts", { key: stranger.key, body: { phoneNumber: to, name: "Ana" } }),
      201,
    );
    expect(
      made(await w.platform(`/v1/contacts?search=${encodeURIComponent(to)}`, { key: stranger.key }), 200).data.map(
        (one: { id: string }) => one.id,
      ),
    ).toEqual([id]);
    expect(
      (await w.platform("/v1/contacts", { key: stranger.key, body: { phoneNumber: NUMBER, name: "Ana" } })).status,
    ).toBe(409);
    return phoneNumber;
  },
  "the sandbox's sender": async (from) => {
    const { messageId } = made(
      await ofPlatform(`/v1/sandbox/channels/${channel.id}/messages`, { from, text: "olá" }, who.testKey),
      202,
    );
    return made(await w.platform(`/v1/messages/${messageId}`, { key: who.testKey }), 200).from;
  },
  "the sandbox's connection": async (phoneNumber) =>
    made(await ofPlatform(`/v1/sandbox/channels/${sessionId}/connect`, { phoneNumber }, who.testKey), 200).phoneNumber,
  "a question about an identity": async (of) => {
    await w.graph.inbound.text({ to: channel.phoneNumberId, from: NUMBER, text: "oi" });
    await w.settle();
    return made(
      await w.gateway(`/v1/phones/${channel.id}/identities/resolve?key=${encodeURIComponent(of)}`, { key }),
      200,
    ).canonicalKey.slice("pn:".length);
  },
};

for (const [place, numberAt] of Object.entries(PLACES)) {
  test.each(WRITTEN)(`${place} takes %j as its digits`, async (written) => {
    await w.advance(DAY_MS / 24);
    expect(await numberAt(written)).toBe(NUMBER);
  });
}
