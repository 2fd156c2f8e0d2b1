import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Customer, newCustomer, TO, toldTo, tracesOf, wamidOf } from "../../support/customer.ts";
import { connectedChannel, customer, made } from "../../support/platform.ts";
import { hear, ofNumber, post, resolve } from "../../support/waba-posts.ts";
import { startWorld, WEBHOOK_SECRET, type World } from "../../support/world.ts";

const PERSON = { canonicalKey: `pn:${TO}`, pn: `${TO}@s.whatsapp.net`, lid: null, type: "pn" };

let w: World;
let c: Customer;
beforeAll(async () => {
  w = await startWorld();
});
beforeEach(async () => {
  c = await newCustomer(w);
});
afterAll(() => w.stop());

type Fields = Record<string, unknown>;
const written = (more: Fields = {}): Fields => ({ from: c.phone.number, to: TO, id: "wamid.E1", timestamp: "1700000000", type: "text", text: { body: "from the app" }, ...more });
const echo = (...echoes: Fields[]) => ofNumber(c, { message_echoes: echoes }, "smb_message_echoes");
const history = (messages: Fields[], progress?: number) =>
  ofNumber(c, { history: [{ ...(progress === undefined ? {} : { metadata: { phase: 0, chunk_order: 1, progress } }), threads: [{ id: TO, messages }] }] }, "history");
const theirs = (more: Fields = {}): Fields => ({ from: TO, id: "wamid.H1", timestamp: "1690000000", type: "text", text: { body: "long ago" }, ...more });
const received = () => toldTo(c.hook, "message:received");
const phone = async () => (await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body;

describe("what the owner writes in the business app", () => {
  test("G-012 is told as a message of ours, in the customer's chat", async () => {
    await post(w, [echo(written())]);
    const own = { canonicalKey: `pn:${c.phone.number}`, pn: `${c.phone.number}@s.whatsapp.net`, lid: null, type: "pn" };
    expect(received()).toEqual([
      {
        messageId: expect.any(String),
        direction: "outbound",
        type: "text",
        timestamp: "2023-11-14T22:13:20.000Z",
        content: { text: "from the app" },
        from: own,
        chat: PERSON,
        pushName: null,
      },
    ]);
  });

  test("is never sent: nothing goes to the network, and there is no message to ask for", async () => {
    const before = await tracesOf(w, c);
    await post(w, [echo(written())]);
    expect(await tracesOf(w, c)).toMatchObject({ messages: before.messages ?? 0, upstreamCalls: before.upstreamCalls });
    expect((await w.gateway(`/v1/messages/${received()[0].messageId}`, { key: c.key })).status).toBe(404);
  });

  test("is told once, by whichever webhook", async () => {
    await post(w, [echo(written())]);
    await post(w, [echo(written(), written({ id: "wamid.E2", text: { body: "second" } }))]);
    await post(w, [history([written()])]);
    expect(received().map(({ content }) => content.text)).toEqual(["from the app", "second"]);
  });

  test("makes the customer known, and is known by all their names", async () => {
    await hear(w, c, { pn: TO, bsuid: "BR.1" });
    await post(w, [echo(written({ to: undefined, to_user_id: "BR.1" }))]);
    expect(received().at(-1).chat).toEqual({ ...PERSON, bsuid: "BR.1" });
    await post(w, [echo(written({ id: "wamid.E3", to: "5511999990002", to_user_id: "BR.2" }))]);
    expect((await resolve(w, c, "BR.2")).body).toMatchObject({ canonicalKey: "pn:5511999990002" });
    expect((await resolve(w, c, c.phone.number)).status).toBe(404);
  });

  test("edits, takes back and reacts to: its own messages, ours and the customer's", async () => {
    await post(w, [echo(written())]);
    const own = received()[0].messageId;
    const ours = await c.sent();
    await hear(w, c, { pn: TO }, { id: "wamid.THEIRS" });
    const customers = received().at(-1).messageId;
    c.hook.arrived.length = 0;
    await post(w, [
      echo(
        written({ id: "wamid.X1", type: "edit", edit: { original_message_id: "wamid.E1", message: { type: "text", text: { body: "corrected" } } } }),
        written({ id: "wamid.X2", type: "revoke", revoke: { original_message_id: wamidOf(w, ours) } }),
        written({ id: "wamid.X3", type: "reaction", reaction: { message_id: "wamid.THEIRS", emoji: "👍" } }),
      ),
    ]);
    const from = `pn:${c.phone.number}`;
    expect(c.hook.arrived.map(({ body }) => [body.type, body.data.messageId, body.data.from?.canonicalKey ?? body.data.status])).toEqual([
      ["message:edited", own, from],
      ["message:status", ours, "deleted"],
      ["message:reaction", customers, from],
    ]);
    expect((await c.message(ours)).status).toBe("SENT");
  });

  test("a message that we sent, told by the network as its owner's, is not told again", async () => {
    const id = await c.sent();
    const key = wamidOf(w, id);
    c.hook.arrived.length = 0;
    await post(w, [echo(written({ id: key })), history([written({ id: key })])]);
    expect(toldTo(c.hook)).toEqual([]);
    await post(w, [echo(written({ id: "wamid.REPLY", context: { id: key } }))]);
    expect(received()).toMatchObject([{ quotedMessageId: id }]);
  });

  test("is not told to the platform, whose customers did not just write; what the customer writes is", async () => {
    const who = await customer(w);
    const channel = await connectedChannel(w, who);
    const hook = w.receiver();
    made(await w.platform("/v1/webhooks", { key: who.key, body: { name: "All", url: hook.url, events: ["message.received"], secret: WEBHOOK_SECRET } }), 201);
    const mine = { phone: { ...c.phone, phoneNumberId: channel.phoneNumberId, number: channel.number } };
    await post(w, [
      ofNumber(mine, { message_echoes: [written()] }, "smb_message_echoes"),
      ofNumber(mine, { history: [{ threads: [{ id: TO, messages: [theirs()] }] }] }, "history"),
      ofNumber(mine, { messages: [theirs({ id: "wamid.NOW" })] }),
    ]);
    expect(hook.arrived.map(({ body }) => body.text)).toEqual(["long ago"]);
  });
});

describe("the history of the business app", () => {
  test("both sides are told as history, in their order", async () => {
    await post(w, [history([theirs(), written({ id: "wamid.H2", text: { body: "answer" } })], 50)]);
    expect(received().map(({ direction, content, isHistory }) => [direction, content.text, isHistory])).toEqual([
      ["inbound", "long ago", true],
      ["outbound", "answer", true],
    ]);
    expect(received()[0]).toMatchObject({ from: PERSON, chat: PERSON, timestamp: "2023-07-22T04:26:40.000Z" });
  });

  test("a message that was told when it was written is not told as history, nor the other way round", async () => {
    await hear(w, c, { pn: TO }, { id: "wamid.H1" });
    await post(w, [history([theirs(), theirs({ id: "wamid.H5" })])]);
    await hear(w, c, { pn: TO }, { id: "wamid.H5" });
    expect(received().map(({ isHistory }) => isHistory)).toEqual([undefined, true]);
  });

  test("what customers were called long ago does not replace what is known of them since", async () => {
    await hear(w, c, { pn: TO, bsuid: "BR.1" });
    await post(w, [history([theirs()])]);
    expect(received().at(-1).from).toEqual({ ...PERSON, bsuid: "BR.1" });
  });

  const placeholder = (more: Fields = {}) => theirs({ type: "media_placeholder", text: undefined, ...more });
  const file = (more: Fields = {}) =>
    ofNumber(c, { messages: [theirs({ type: "image", text: undefined, image: { id: "77", mime_type: "image/jpeg", caption: "a" }, ...more })] }, "history");

  test("a placeholder is told, and the file under the same id when it comes, once", async () => {
    await post(w, [history([placeholder()])]);
    await post(w, [file()]);
    await post(w, [history([placeholder()]), file()]);
    const [first, second, ...rest] = received();
    expect(rest).toEqual([]);
    expect(first).toMatchObject({ type: "unsupported", content: { originalType: "media_placeholder" }, isHistory: true });
    expect(second).toMatchObject({ messageId: first.messageId, type: "image", content: { caption: "a", mimeType: "image/jpeg" }, isHistory: true, from: PERSON, chat: PERSON });
  });

  test("a file that overtakes its placeholder is told, and the placeholder is not", async () => {
    await post(w, [file()]);
    await post(w, [history([placeholder()])]);
    expect(received().map(({ type }) => type)).toEqual(["image"]);
  });

  test("a file of the owner's own message is in the chat of its placeholder, whatever the file's envelope says of it", async () => {
    await post(w, [history([placeholder({ from: c.phone.number })])]);
    await post(w, [file({ from: c.phone.number })]);
    expect(received().map(({ direction, type, chat }) => [direction, type, chat.canonicalKey])).toEqual([
      ["outbound", "unsupported", `pn:${TO}`],
      ["outbound", "image", `pn:${TO}`],
    ]);
    await post(w, [history([placeholder({ id: "wamid.H9", from: c.phone.number })])]);
    await post(w, [file({ id: "wamid.H9" })]); // Meta's own sample calls the user the sender of the business's file
    expect(received().at(-1)).toMatchObject({ direction: "outbound", type: "image", from: { canonicalKey: `pn:${c.phone.number}` } });
  });

  test("a file of the owner's own message that names no chat, before its placeholder, waits for nobody's chat", async () => {
    await post(w, [file({ from: c.phone.number })]);
    expect(received()).toEqual([]);
    await post(w, [history([placeholder({ from: c.phone.number })])]);
    expect(received()).toMatchObject([{ direction: "outbound", chat: PERSON }]);
  });

  test("its end is shown by the phone, not its beginning, nor its refusal", async () => {
    await post(w, [history([theirs()], 99)]);
    expect(await phone()).toMatchObject({ wabaHistorySyncAt: null });
    await post(w, [ofNumber(c, { history: [{ errors: [{ code: 2593109, title: "History sync is turned off" }] }] }, "history")]);
    expect(await phone()).toMatchObject({ wabaHistorySyncAt: null, wabaContactsSyncAt: null });
    await post(w, [history([theirs({ id: "wamid.LAST" })], 100)]);
    expect(await phone()).toMatchObject({ wabaHistorySyncAt: new Date(w.clock.now()).toISOString(), wabaContactsSyncAt: null });
  });

  test("thousands of messages in one webhook are each told, and others' messages are told between", async () => {
    const many = Array.from({ length: 1500 }, (_, index) => theirs({ id: `wamid.M${index}`, text: { body: String(index) } }));
    await post(w, [history(many, 100)]);
    expect(received().map(({ content }) => content.text)).toEqual(many.map((_, index) => String(index)));
  });
});

describe("the owner's address book", () => {
  const item = (phoneNumber: string, name?: string) => ({
    type: "contact",
    action: name === undefined ? "remove" : "add",
    contact: { phone_number: phoneNumber, ...(name === undefined ? {} : { full_name: name, first_name: name.split(" ")[0] }) },
    metadata: { timestamp: "1700000000" },
  });
  const book = (...items: object[]) => ofNumber(c, { state_sync: items }, "smb_app_state_sync");

  test("is told at once, each with all that is known of them, and the phone shows when", async () => {
    await hear(w, c, { pn: TO, bsuid: "BR.1" });
    await post(w, [book(item(TO, "Ana Kahn"), item("5511999990002"))]);
    expect(toldTo(c.hook, "contact:synced")).toEqual([
      {
        contacts: [
          { name: "Ana Kahn", firstName: "Ana", action: "add", contact: { ...PERSON, bsuid: "BR.1" } },
          { name: null, firstName: null, action: "remove", contact: { ...PERSON, canonicalKey: "pn:5511999990002", pn: "5511999990002@s.whatsapp.net" } },
        ],
      },
    ]);
    expect(await phone()).toMatchObject({ wabaContactsSyncAt: new Date(w.clock.now()).toISOString() });
    expect((await resolve(w, c, "5511999990002")).status).toBe(200);
  });

  test("the same entries are told once, whatever webhook they come in; another change of them is told", async () => {
    await post(w, [book(item(TO, "Ana"))]);
    await post(w, [book(item(TO, "Ana")), book(item(TO, "Ana Kahn"))]);
    expect(toldTo(c.hook, "contact:synced").map(({ contacts }) => contacts[0].name)).toEqual(["Ana", "Ana Kahn"]);
  });

  test("of a thousand people is told in parts that a webhook takes whole", async () => {
    await post(w, [book(...Array.from({ length: 1000 }, (_, index) => item(String(5511900000000 + index), `Contact ${index}`)))]);
    const told = toldTo(c.hook, "contact:synced");
    expect(told.map(({ contacts }) => contacts.length)).toEqual(Array.from({ length: 10 }, () => 100));
    expect(Math.max(...c.hook.arrived.map(({ raw }) => raw.length))).toBeLessThan(256 * 1024);
    expect((await resolve(w, c, "5511900000999")).status).toBe(200);
  });
});
