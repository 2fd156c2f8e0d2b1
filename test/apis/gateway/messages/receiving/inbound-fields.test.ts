import { describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../../src/kernel/clock.ts";
import { type Customer, newCustomer, receivedBy, rowsOf, TO } from "../../../../support/customers/customer.ts";
import type { Delivery } from "../../../../support/graph/index.ts";
import { fieldSamples } from "../../../../support/graph/webhooks/field-samples.ts";
import { accountOf, postInbound } from "../../../../support/networks/waba-posts.ts";
import { useEach, useWorld } from "../../../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../../../support/world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

/** One of every field and event that the network's documents show, of the customer's phone. */
const samplesOf = async (customer: Customer) =>
  fieldSamples({
    businessAccountId: await accountOf(w, customer),
    phoneNumberId: customer.phone.phoneNumberId,
    displayPhoneNumber: `+${customer.phone.number}`,
    user: TO,
  });

const postAll = async (customer: Customer, fields?: RegExp) => {
  const posted: Delivery[] = [];
  for (const { name, change } of await samplesOf(customer))
    if (fields === undefined || fields.test(name)) posted.push(await w.graph.inbound.field(change));
  await w.settle();
  return posted;
};

const discardedJobs = () => rowsOf(w, "SELECT kind, reason FROM discarded_jobs");

describe("every field that the network's documents show", () => {
  test("is answered 200, kept whole, and stops nothing that comes after it", async () => {
    const posted = await postAll(c);
    expect(posted.length).toBeGreaterThan(60);
    expect(new Set(posted.flatMap(({ answers }) => answers.map(({ status }) => status)))).toEqual(new Set([200]));
    for (const { body } of posted)
      expect(await rowsOf(w, "SELECT id FROM upstream_envelopes WHERE body = ?1", [body])).toHaveLength(1);
    expect([await discardedJobs(), await rowsOf(w, "SELECT id FROM jobs WHERE kind = 'upstream.process'")]).toEqual([
      [],
      [],
    ]);
  });

  test("is published to nobody else", async () => {
    const other = await newCustomer(w);
    await postAll(c);
    expect(receivedBy(other.hook)).toEqual([]);
    expect((await w.gateway(`/v1/phones/${other.phone.id}`, { key: other.key })).body.status).toBe("CONNECTED");
    expect(await rowsOf(w, "SELECT id FROM identities WHERE channel_id = ?1", [other.phone.id])).toEqual([]);
  });

  test("of chats becomes what it is, and is published once, however often the envelopes are read", async () => {
    await postInbound(w, c, { pn: TO }, { id: "wamid.HBgLMTY0NjcwNDM1OTUVAgARGBIyNDlBOEI5QUQ4NDc0N0FCNjMA" });
    await postAll(c, /^(history|smb_|user_|message)/);
    const kinds = c.hook.arrived.map(({ body }) =>
      `${body.type} ${body.data.content?.originalType ?? body.data.type ?? body.data.status ?? ""}`.trim(),
    );
    expect(kinds.toSorted()).toEqual([
      "contact:synced",
      "contact:synced",
      "message:edited",
      "message:received image",
      "message:received media_placeholder",
      "message:received text",
      "message:received text",
      "message:status deleted",
    ]);
    const before = c.hook.arrived.length;
    for (const { id } of await rowsOf<{ id: number }>(w, "SELECT id FROM upstream_envelopes"))
      await w.app.env.db.write(async (tx) => w.app.env.jobs.enqueue(tx, "upstream.process", { envelopeId: id }));
    await w.settle();
    expect(c.hook.arrived.length).toBe(before);
  });
});

describe("a number that the business app uses too", () => {
  /** A phone of a number of the business app, which is asked for its contacts and its history. */
  const coexistent = async () => {
    const [phoneNumberId, businessAccountId, token] = [
      `88${w.graph.journal.length}`,
      `99${w.graph.journal.length}`,
      `EAAcoexistent${w.graph.journal.length}`,
    ];
    const number = `5521${String(900_000_000 + w.graph.journal.length)}`;
    w.graph.addNumber({
      phoneNumberId,
      businessAccountId,
      displayPhoneNumber: `+${number}`,
      tokens: [token],
      isOnBizApp: true,
    });
    const hook = w.receiver();
    const credentials = { phoneNumberId, businessAccountId, accessToken: token };
    const made = await w.gateway("/v1/phones", {
      key: c.key,
      body: { type: "WABA", label: "Shared", credentials, webhook: { url: hook.url, secret: WEBHOOK_SECRET } },
    });
    await hook.received(1);
    hook.arrived.length = 0;
    for (const sync_type of ["smb_app_state_sync", "history"])
      await fetch(`${w.graph.url}/v26.0/${phoneNumberId}/smb_app_data`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ messaging_product: "whatsapp", sync_type }),
      });
    return { id: made.body.id as string, phoneNumberId, number, hook };
  };

  const daysAgo = (days: number) => Date.now() - days * DAY_MS; // the network has a clock of its own

  test.each([false, true])(
    "shares its chats, its address book and what its owner writes, each once; last chunk first: %p",
    async (isReversed) => {
      const { id, phoneNumberId, number, hook } = await coexistent();
      const people = ["5511999990001", "5511999990002"];
      const messages = Array.from({ length: 30 }, (_, index) => ({
        waId: people[index % 2] ?? "",
        isFromBusiness: index % 3 === 0,
        at: daysAgo(60 - 2 * index),
        content:
          index % 10 === 9
            ? ({ kind: "media", type: "image", caption: `file ${index}` } as const)
            : ({ kind: "text", text: String(index) } as const),
      }));
      await w.graph.coexistence.contacts({
        phoneNumberId,
        contacts: people.map((waId, index) => ({ waId, fullName: `Contact ${index}` })),
      });
      await w.graph.coexistence.history({ phoneNumberId, messages, chunkSize: 7, isReversed });
      await w.graph.coexistence.historyMedia(phoneNumberId);
      const { wamid } = await w.graph.coexistence.echo({
        phoneNumberId,
        to: TO,
        content: { kind: "text", text: "from the app" },
      });
      await w.graph.coexistence.echo({ phoneNumberId, to: TO, content: { kind: "edit", wamid, text: "corrected" } });
      await w.graph.coexistence.echo({ phoneNumberId, to: TO, content: { kind: "revoke", wamid } });
      await w.settle();
      const received = receivedBy(hook, "message:received");
      const texts = received.filter(({ isHistory, type }) => isHistory && type === "text");
      const written = messages.flatMap(({ content }) => (content.kind === "text" ? [content.text] : []));
      expect([texts.length, new Set(texts.map(({ content }) => content.text))]).toEqual([
        written.length,
        new Set(written),
      ]);
      for (const { content, direction, from, chat } of texts) {
        const original = messages[Number(content.text)];
        expect([direction, from.canonicalKey, chat.canonicalKey]).toEqual(
          original?.isFromBusiness
            ? ["outbound", `pn:${number}`, `pn:${original.waId}`]
            : ["inbound", `pn:${original?.waId}`, `pn:${original?.waId}`],
        );
      }
      const files = received.filter(({ type }) => type === "image");
      expect(files.map(({ content }) => content.caption)).toEqual(["file 29"]); // of the last two weeks alone
      expect(received.filter(({ type }) => type === "unsupported")).toHaveLength(3);
      const echo = received.find(({ isHistory }) => isHistory === undefined);
      const ofEcho = hook.arrived.filter(({ body }) => body.data.messageId === echo.messageId);
      expect(
        ofEcho.map(({ body }) => [body.type, body.data.content?.text ?? body.data.text ?? body.data.status]),
      ).toEqual([
        ["message:received", "from the app"],
        ["message:edited", "corrected"],
        ["message:status", "deleted"],
      ]);
      expect(receivedBy(hook, "contact:synced")[0].contacts.map(({ name }: { name: string }) => name)).toEqual([
        "Contact 0",
        "Contact 1",
      ]);
      const { body } = await w.gateway(`/v1/phones/${id}`, { key: c.key });
      expect([typeof body.wabaContactsSyncAt, typeof body.wabaHistorySyncAt]).toEqual(["string", "string"]);
    },
  );

  test("whose owner shares no history publishes nothing, and goes on", async () => {
    const { id, phoneNumberId, hook } = await coexistent();
    await w.graph.coexistence.declineHistory(phoneNumberId);
    await w.settle();
    expect([hook.arrived, (await w.gateway(`/v1/phones/${id}`, { key: c.key })).body.wabaHistorySyncAt]).toEqual([
      [],
      null,
    ]);
    await w.graph.inbound.text({ to: phoneNumberId, from: TO, text: "oi" });
    await w.settle();
    expect(receivedBy(hook, "message:received")).toMatchObject([{ content: { text: "oi" } }]);
  });
});
