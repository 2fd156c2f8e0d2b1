import { beforeEach, describe, expect, test } from "bun:test";
import { type Customer, newCustomer, receivedBy, rowsOf, TO } from "../../../../support/customers/customer.ts";
import { ofNumber, post, postInbound, resolve } from "../../../../support/networks/waba-posts.ts";
import { useWorld } from "../../../../support/use-world.ts";

const PERSON = { canonicalKey: `pn:${TO}`, pn: `${TO}@s.whatsapp.net`, lid: null, type: "pn" };

const w = useWorld();
let c: Customer;
beforeEach(async () => {
  c = await newCustomer(w);
});

type Fields = Record<string, unknown>;
const theirs = (more: Fields = {}): Fields => ({
  from: TO,
  id: "wamid.H1",
  timestamp: "1690000000",
  type: "text",
  text: { body: "long ago" },
  ...more,
});
const written = (more: Fields = {}): Fields => theirs({ from: c.phone.number, to: TO, ...more });
const history = (messages: Fields[], progress?: number) =>
  ofNumber(
    c,
    {
      history: [
        {
          ...(progress === undefined ? {} : { metadata: { phase: 0, chunk_order: 1, progress } }),
          threads: [{ id: TO, messages }],
        },
      ],
    },
    "history",
  );
const received = () => receivedBy(c.hook, "message:received");
const phone = async () => (await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body;

describe("the history of the business app", () => {
  test("both sides are published as history, in their order", async () => {
    await post(w, [history([theirs(), written({ id: "wamid.H2", text: { body: "answer" } })], 50)]);
    expect(received().map(({ direction, content, isHistory }) => [direction, content.text, isHistory])).toEqual([
      ["inbound", "long ago", true],
      ["outbound", "answer", true],
    ]);
    expect(received()[0]).toMatchObject({ from: PERSON, chat: PERSON, timestamp: "2023-07-22T04:26:40.000Z" });
  });

  test("a message that was published when it was written is not published as history, nor the other way round", async () => {
    await postInbound(w, c, { pn: TO }, { id: "wamid.H1" });
    await post(w, [history([theirs(), theirs({ id: "wamid.H5" })])]);
    await postInbound(w, c, { pn: TO }, { id: "wamid.H5" });
    expect(received().map(({ isHistory }) => isHistory)).toEqual([undefined, true]);
  });

  test("what customers were called long ago does not replace what is known of them since", async () => {
    await postInbound(w, c, { pn: TO, bsuid: "BR.1" });
    await post(w, [history([theirs()])]);
    expect(received().at(-1).from).toEqual({ ...PERSON, bsuid: "BR.1" });
  });

  const placeholder = (more: Fields = {}) => theirs({ type: "media_placeholder", text: undefined, ...more });
  const file = (more: Fields = {}) =>
    ofNumber(
      c,
      {
        messages: [
          theirs({
            type: "image",
            text: undefined,
            image: { id: "77", mime_type: "image/jpeg", caption: "a" },
            ...more,
          }),
        ],
      },
      "history",
    );

  test("a placeholder is published, and the file under the same id when it comes, once", async () => {
    await post(w, [history([placeholder()])]);
    await post(w, [file()]);
    await post(w, [history([placeholder()]), file()]);
    const [first, second, ...rest] = received();
    expect(rest).toEqual([]);
    expect(first).toMatchObject({
      type: "unsupported",
      content: { originalType: "media_placeholder" },
      isHistory: true,
    });
    expect(second).toMatchObject({
      messageId: first.messageId,
      type: "image",
      content: { caption: "a", mimeType: "image/jpeg" },
      isHistory: true,
      from: PERSON,
      chat: PERSON,
    });
  });

  test("a file that overtakes its placeholder is published, and the placeholder is not", async () => {
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
    expect(received().at(-1)).toMatchObject({
      direction: "outbound",
      type: "image",
      from: { canonicalKey: `pn:${c.phone.number}` },
    });
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
    await post(w, [
      ofNumber(c, { history: [{ errors: [{ code: 2593109, title: "History sync is turned off" }] }] }, "history"),
    ]);
    expect(await phone()).toMatchObject({ wabaHistorySyncAt: null, wabaContactsSyncAt: null });
    await post(w, [history([theirs({ id: "wamid.LAST" })], 100)]);
    expect(await phone()).toMatchObject({
      wabaHistorySyncAt: new Date(w.clock.now()).toISOString(),
      wabaContactsSyncAt: null,
    });
  });

  test("thousands of messages in one webhook are each published, in their order", async () => {
    // published events are read in the log: posting it takes its time
    c = await newCustomer(w, { events: ["channel:connected"] });
    const many = Array.from({ length: 3000 }, (_, index) =>
      theirs({ id: `wamid.M${index}`, text: { body: String(index) } }),
    );
    await post(w, [history(many, 100)]);
    const published = await rowsOf<{ text: string }>(
      w,
      "SELECT body ->> '$.data.content.text' AS text FROM events WHERE channel_id = ?1 AND audience = 'gateway' AND type = 'message:received' ORDER BY seq",
      [c.phone.id],
    );
    expect(published.map(({ text }) => text)).toEqual(many.map((_, index) => String(index)));
  });
});

describe("the owner's address book", () => {
  const item = (phoneNumber: string, name?: string) => ({
    type: "contact",
    action: name === undefined ? "remove" : "add",
    contact: {
      phone_number: phoneNumber,
      ...(name === undefined ? {} : { full_name: name, first_name: name.split(" ")[0] }),
    },
    metadata: { timestamp: "1700000000" },
  });
  const book = (...items: object[]) => ofNumber(c, { state_sync: items }, "smb_app_state_sync");

  test("is published at once, each with all that is known of them, and the phone shows when", async () => {
    await postInbound(w, c, { pn: TO, bsuid: "BR.1" });
    await post(w, [book(item(TO, "Ana Kahn"), item("5511999990002"))]);
    expect(receivedBy(c.hook, "contact:synced")).toEqual([
      {
        contacts: [
          { name: "Ana Kahn", firstName: "Ana", action: "add", contact: { ...PERSON, bsuid: "BR.1" } },
          {
            name: null,
            firstName: null,
            action: "remove",
            contact: { ...PERSON, canonicalKey: "pn:5511999990002", pn: "5511999990002@s.whatsapp.net" },
          },
        ],
      },
    ]);
    expect(await phone()).toMatchObject({ wabaContactsSyncAt: new Date(w.clock.now()).toISOString() });
    expect((await resolve(w, c, "5511999990002")).status).toBe(200);
  });

  test("the same entries are published once, whatever webhook they come in; another change of them is published", async () => {
    await post(w, [book(item(TO, "Ana"))]);
    await post(w, [book(item(TO, "Ana")), book(item(TO, "Ana Kahn"))]);
    expect(receivedBy(c.hook, "contact:synced").map(({ contacts }) => contacts[0].name)).toEqual(["Ana", "Ana Kahn"]);
  });

  test("of a thousand people is published in parts that a webhook takes whole", async () => {
    await post(w, [
      book(...Array.from({ length: 1000 }, (_, index) => item(String(5511900000000 + index), `Contact ${index}`))),
    ]);
    const published = receivedBy(c.hook, "contact:synced");
    expect(published.map(({ contacts }) => contacts.length)).toEqual(Array.from({ length: 10 }, () => 100));
    expect(Math.max(...c.hook.arrived.map(({ raw }) => raw.length))).toBeLessThan(256 * 1024);
    expect((await resolve(w, c, "5511900000999")).status).toBe(200);
  });
});
