import { describe, expect, test } from "bun:test";
import { HOUR_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, TO } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { made } from "../../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

const writes = async (text = "oi", from = TO) => {
  await w.graph.inbound.text({ to: c.phone.phoneNumberId, from, text, at: w.clock.now() });
  await w.settle();
};
const ask = (path: string, body?: object, method?: string) =>
  w.gateway(path, { key: c.key, ...(body ? { body } : {}), ...(method ? { method } : {}) });
const get = async (path: string): Promise<any> => made(await ask(path), 200);
const onlyChat = async () => (await get("/v1/chats")).items[0];

describe("a chat in an inbox", () => {
  test("has the beginning of its newest message, and until when it may be answered", async () => {
    await writes(`${"á".repeat(300)}`);
    const at = w.clock.now();
    const chat = await onlyChat();
    expect(chat).toMatchObject({
      assignee: null,
      lastMessage: { direction: "inbound", type: "text", text: "á".repeat(200), status: "RECEIVED", deletedAt: null },
      answerWindow: { isOpen: true },
    });
    expect(Date.parse(chat.answerWindow.endsAt) - at).toBeLessThanOrEqual(24 * HOUR_MS);
    await w.advance(24 * HOUR_MS + 1000);
    expect((await onlyChat()).answerWindow.isOpen).toBe(false);
    await c.sent();
    expect((await onlyChat()).lastMessage).toMatchObject({ direction: "outbound", type: "text" });
  });

  test("whose person never wrote has no open window", async () => {
    await c.sent();
    expect((await onlyChat()).answerWindow).toEqual({ isOpen: false, endsAt: null });
  });

  test("is found by its contact, and by nobody's hands", async () => {
    await writes();
    await writes("oi", "5511900000002");
    const { id, contact } = (await get("/v1/chats?q=900000002")).items[0];
    const idsOf = async (query: string) => (await get(`/v1/chats?${query}`)).items.map((item: any) => item.id);
    expect(await idsOf(`contactId=${contact.id}`)).toEqual([id]);
    expect(await idsOf("assignee=nobody")).toHaveLength(2);
    expect(await idsOf(`state=OPEN&assignee=${contact.id}`)).toEqual([]);
  });

  test("is counted by its state", async () => {
    await writes();
    await writes("oi", "5511900000002");
    const counts = { open: 2, closed: 0, unread: 2, unassigned: 2, assigned: 0, snoozed: 0 };
    expect(await get("/v1/chats/counts")).toEqual(counts);
    const { id } = await onlyChat();
    made(await ask(`/v1/chats/${id}/close`, {}), 200);
    expect(await get("/v1/chats/counts?assignee=x")).toEqual({ ...counts, open: 1, closed: 1, unassigned: 1 });
    expect(await get("/v1/chats/assignees")).toEqual({ items: [] });
  });
});

describe("what is done to a message", () => {
  test("stays with it: the last reaction of each, none that was taken back", async () => {
    await writes();
    const chat = await onlyChat();
    const messagesOf = async () => (await get(`/v1/chats/${chat.id}/messages`)).items;
    const [message] = await messagesOf();
    expect([message.reactions, message.editedAt, message.deletedAt]).toEqual([[], null, null]);
    const react = (emoji: string) => ask(`/v1/messages/${message.id}/react`, { phoneId: c.phone.id, emoji });
    expect((await react("👍")).status).toBe(202);
    await w.settle();
    await w.advance(1000);
    await react("❤️");
    await w.settle();
    expect((await messagesOf())[0].reactions).toEqual([{ emoji: "❤️", by: null, at: expect.any(String) }]);
    await react("");
    await w.settle();
    expect((await messagesOf())[0].reactions).toEqual([]);
  });
});

describe("a contact", () => {
  test("is made, changed and deleted; its chats stay closed", async () => {
    await writes();
    const [known] = (await get("/v1/contacts")).items;
    const body = { phoneNumber: "+55 11 97777-6666", name: "Ana", tags: ["vip"], metadata: { city: "Recife" } };
    const contact = made(await ask("/v1/contacts", body), 201);
    expect(contact).toMatchObject({ name: "Ana", phoneNumber: "5511977776666", canonicalKey: "pn:5511977776666" });
    expect(gatewaySays(await ask("/v1/contacts", body))).toBe("409 ALREADY_EXISTS");
    const changed = made(await ask(`/v1/contacts/${contact.id}`, { email: "ana@example.com" }, "PATCH"), 200);
    expect(changed).toMatchObject({ name: "Ana", email: "ana@example.com", tags: ["vip"] });
    expect((await ask(`/v1/contacts/${known.id}`, undefined, "DELETE")).status).toBe(204);
    expect((await get("/v1/contacts")).items.map(({ id }: any) => id)).toEqual([contact.id]);
    expect(await onlyChat()).toMatchObject({ contact: null, state: "CLOSED" });
    expect(gatewaySays(await ask(`/v1/contacts/${known.id}`, { name: "x" }, "PATCH"))).toBe("404 CONTACT_NOT_FOUND");
  });

  test.each([[{ name: "Ana" }], [{ phoneNumber: "x", name: "Ana" }], [{ phoneNumber: "5511977776666", name: "" }]])(
    "of %j is refused, and none is made",
    async (body) => {
      expect((await ask("/v1/contacts", body)).status).toBe(400);
      expect((await get("/v1/contacts")).items).toEqual([]);
    },
  );
});

describe("an official number", () => {
  test("says what its network can do", async () => {
    expect(await get(`/v1/phones/${c.phone.id}/capabilities`)).toMatchObject({
      contentTypes: expect.arrayContaining(["text", "template", "image"]),
      onReceived: ["react", "read", "typing"],
      operationLimits: [
        { operation: "edit", types: ["text"], withinMinutes: 15 },
        { operation: "delete", types: null, withinMinutes: 2 * 24 * 60 },
      ],
      takesUploads: true,
      hasTemplates: true,
      hasGroups: true,
      hasCalls: true,
      canRejectCalls: true,
      hasCallLinks: false,
      answerWindowHours: 24,
    });
  });

  test("sends an uploaded file: it is uploaded to the network first, and its bytes stay readable", async () => {
    const bytes = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");
    const kept = made(await ask("/v1/media/files/base64", { base64: bytes.toString("base64") }), 201);
    const { mediaHandle } = kept;
    made(await ask("/v1/messages", { phoneId: c.phone.id, to: TO, type: "image", content: { mediaHandle } }), 202);
    await w.settle();
    const sent = (await get("/v1/messages")).items[0];
    expect([sent.status, sent.failedReason]).toEqual(["SENT", null]);
    expect(sent.content).toEqual({ mediaHandle });
    const answer = await fetch(`${w.app.url}/gateway/v1/media/files/${mediaHandle}/content`, {
      headers: { "x-api-key": c.key },
    });
    expect([answer.headers.get("content-type"), answer.headers.get("content-security-policy")]).toEqual([
      "image/png",
      "default-src 'none'; sandbox",
    ]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    const other = await newCustomer(w);
    const foreign = await w.gateway(`/v1/media/files/${mediaHandle}/content`, { key: other.key });
    expect(gatewaySays(foreign)).toBe("404 MEDIA_NOT_FOUND");
  });

  test("is refused a handle of Recado's that is not kept, and nothing is sent", async () => {
    const mediaHandle = "file-6a0c2b1e-0000-4000-8000-000000000001";
    const refused = await ask("/v1/messages", { phoneId: c.phone.id, to: TO, type: "image", content: { mediaHandle } });
    expect(refused.status).toBe(400);
    expect((await get("/v1/messages")).items).toEqual([]);
  });
});
