import { beforeEach, describe, expect, test } from "bun:test";
import type { Operation } from "../../../../../src/contract/abilities/operations.ts";
import type { FurtherPart, ProviderMessageId, Received } from "../../../../../src/contract/events.ts";
import type { ChannelPlugin } from "../../../../../src/contract/plugin.ts";
import { type Customer, customerOf, newCustomer, receivedBy } from "../../../../support/customers/customer.ts";
import { posterNetwork } from "../../../../support/networks/poster.ts";
import { made } from "../../../../support/tenants/platform.ts";
import { useWorld } from "../../../../support/use-world.ts";
import { untilConnected, WEBHOOK_SECRET } from "../../../../support/world.ts";

const poster = posterNetwork({ operations: { react: { inbound: true } } });
const operations: Operation[] = [];
/** A network whose messages have files, and can be reacted to. */
const plugin: ChannelPlugin = {
  ...poster.plugin,
  open: (host) => ({
    ...poster.plugin.open(host),
    async operate(operation) {
      operations.push(operation);
      return { ok: true };
    },
    media: {
      async open(nativeId) {
        const body = (async function* () {
          yield Buffer.from(`bytes of ${nativeId}`);
        })();
        return { ok: true, value: { body } };
      },
    },
  }),
};
const w = useWorld({ plugins: [plugin] });

/** A customer whose phone is one of this network. */
const newPhone = async (): Promise<Customer> => {
  const { accountId, key } = await newCustomer(w);
  const hook = w.receiver();
  const body = {
    type: "POSTER",
    label: "Torpedos",
    credentials: { token: "a-token" },
    webhook: { url: hook.url, secret: WEBHOOK_SECRET },
  };
  const phone = made(await w.gateway("/v1/phones", { key, body }), 201);
  await untilConnected(w, phone.id);
  return customerOf(w, { accountId, key, phone, hook });
};
let c: Customer;
beforeEach(async () => {
  c = await newPhone();
});

const ANA = { pn: "5511999990001" };
const photo = (name: string): FurtherPart => ({
  content: { type: "image", content: { mimeType: "image/jpeg" } },
  media: { nativeId: name, contentType: "image/jpeg" },
});

let count = 0;
const newKey = () => `mms-${++count}` as ProviderMessageId;
const received = (fields: Partial<Received> = {}): Received => ({
  kind: "received",
  key: newKey(),
  at: w.app.env.clock.now(),
  from: ANA,
  chat: ANA,
  pushName: "Ana",
  content: { type: "text", content: { text: "olha" } },
  ...fields,
});
const arrive = async (event: Received): Promise<Received> => {
  await poster.notify(c.phone.id, event);
  await w.settle();
  return event;
};
/** The received messages by their ids, which are in the order of the contents: one with a file is told when it is there. */
const messagesOf = ({ hook }: Pick<Customer, "hook">) =>
  receivedBy(hook, "message:received").toSorted((one, other) => (one.messageId < other.messageId ? -1 : 1));
const messages = () => messagesOf(c);
const react = async (messageId: string) =>
  made(
    await w.gateway(`/v1/messages/${messageId}/react`, { key: c.key, body: { phoneId: c.phone.id, emoji: "👍" } }),
    202,
  );
const revoke = async (key: ProviderMessageId) => {
  const at = w.app.env.clock.now();
  await poster.notify(c.phone.id, { kind: "revoked", nativeId: newKey(), key, at, from: ANA });
  await w.settle();
};
/** The ids of the deleted messages, in the order of the messages. */
const deleted = (): string[] =>
  receivedBy(c.hook, "message:status")
    .filter(({ status }) => status === "deleted")
    .map(({ messageId }) => messageId)
    .toSorted((one, other) => (one < other ? -1 : 1));

describe("a message of several contents", () => {
  test("becomes a message of each, in order and in one album, with each file's own bytes", async () => {
    await arrive(received({ furtherParts: [photo("a"), photo("b")] }));
    const [text, a, b, ...others] = messages();
    expect(others).toEqual([]);
    expect([text, a, b].map(({ content }) => content)).toEqual([
      { album: { id: text.content.album.id }, text: "olha" },
      { album: { id: text.content.album.id }, mimeType: "image/jpeg" },
      { album: { id: text.content.album.id }, mimeType: "image/jpeg" },
    ]);
    expect(new Set([text, a, b].map(({ messageId }) => messageId)).size).toBe(3);
    const bytes = await Promise.all(
      [a, b].map(async ({ media }) => (await fetch(media.downloadUrl, { headers: { "x-api-key": c.key } })).text()),
    );
    expect(bytes).toEqual(["bytes of a", "bytes of b"]);
    const { items } = (await w.gateway(`/v1/messages?phoneId=${c.phone.id}`, { key: c.key })).body;
    expect(items.map(({ id }: { id: string }) => id)).toEqual([b, a, text].map(({ messageId }) => messageId));
  });

  test("whose first content is a file has no message without one, and the network's own album stays", async () => {
    const { content, media } = photo("first");
    const album = { id: "of-the-network" };
    const own = { type: "image", content: { mimeType: "image/jpeg", caption: "as duas", album } } as const;
    await arrive(received({ content: own, ...(media ? { media } : {}), furtherParts: [{ content }] }));
    expect(messages().map(({ content: shown }) => shown)).toEqual([
      { mimeType: "image/jpeg", caption: "as duas", album },
      { mimeType: "image/jpeg", album: { id: expect.stringMatching(/^[0-9a-f]{32}$/) } },
    ]);
  });

  test("that the network repeats changes nothing; a content that it then has besides comes into the same album", async () => {
    const event = await arrive(received({ furtherParts: [photo("a")] }));
    await arrive(event);
    expect(messages()).toHaveLength(2);
    await arrive({ ...event, furtherParts: [photo("a"), photo("late")] });
    expect(messages()).toHaveLength(3);
    expect(new Set(messages().map(({ content }) => content.album.id)).size).toBe(1);
  });

  test("of the same id on another phone, and another message here, are in other albums", async () => {
    const first = await arrive(received({ furtherParts: [photo("a")] }));
    await arrive(received({ furtherParts: [photo("b")] }));
    const second = await newPhone();
    await poster.notify(second.phone.id, first);
    await w.settle();
    const albums = [...messages(), ...messagesOf(second)].map(({ content }) => content.album.id);
    expect(albums).toHaveLength(6);
    expect(new Set(albums).size).toBe(3);
  });

  test("is answered and reacted to by the network's own id, whichever of its contents a client names", async () => {
    const { key } = await arrive(received({ furtherParts: [photo("a"), photo("b")] }));
    for (const { messageId } of messages()) {
      await react(messageId);
      await c.sent({ quotedMessageId: messageId });
    }
    await w.settle();
    expect(operations.splice(0).map((operation) => operation.key)).toEqual([key, key, key]);
    expect(poster.sent.slice(-3).map(({ quotedProviderMessageId }) => quotedProviderMessageId)).toEqual([
      key,
      key,
      key,
    ]);
  });

  test("is deleted with all its contents, also if the network says so first; a reaction belongs to the first one", async () => {
    const event = await arrive(received({ furtherParts: [photo("a"), photo("b")] }));
    const act = { key: event.key, at: w.app.env.clock.now(), from: ANA };
    await poster.notify(c.phone.id, { kind: "reacted", nativeId: newKey(), emoji: "🥐", ...act });
    await poster.notify(c.phone.id, { kind: "revoked", nativeId: newKey(), ...act });
    const early = received({ furtherParts: [photo("c")] });
    await poster.notify(c.phone.id, { kind: "revoked", nativeId: newKey(), at: 0, key: early.key, from: ANA });
    await arrive(early);
    const deleted = receivedBy(c.hook, "message:status").filter(({ status }) => status === "deleted");
    expect(deleted).toHaveLength(5);
    expect(new Set(deleted.map(({ messageId }) => messageId))).toEqual(
      new Set(messages().map(({ messageId }) => messageId)),
    );
    expect(receivedBy(c.hook, "message:reaction").map(({ messageId }) => messageId)).toEqual([messages()[0].messageId]);
  });

  test("is deleted with the contents that come after that, once", async () => {
    const event = await arrive(received({ furtherParts: [photo("a")] }));
    await revoke(event.key);
    await arrive({ ...event, furtherParts: [photo("a"), photo("late")] });
    await arrive({ ...event, furtherParts: [photo("a"), photo("late")] });
    expect(messages()).toHaveLength(3);
    expect(deleted()).toEqual(messages().map(({ messageId }) => messageId));
  });

  test("is not taken for one by an id of the network that looks like a part's", async () => {
    const { key } = await arrive(received());
    const other = { pn: "5511999990003" };
    const alike = await arrive(received({ key: `${key}#1` as ProviderMessageId, from: other, chat: other }));
    await react(messages()[1].messageId);
    await w.settle();
    expect(operations.splice(0).map((operation) => operation.key)).toEqual([alike.key]);
    expect(messages().every(({ content }) => content.album === undefined)).toBe(true);
    await revoke(key);
    expect(deleted()).toEqual([messages()[0].messageId]);
  });
});
