import { describe, expect, test } from "bun:test";
import {
  CONTACT,
  change,
  entry,
  envelope,
  keys,
  message,
  NUMBER_ID,
  parse,
  receipt,
  received,
  status,
  WABA,
} from "../../support/networks/waba-envelope.ts";

const MESSAGE_ID = "0198a000-1111-4222-8333-444455556666";

describe("the shapes that the upstream really sends", () => {
  const text = (id: string) => message({ id });

  test("one change with ten messages is ten", () => {
    const ids = Array.from({ length: 10 }, (_, index) => `wamid.${index}`);
    expect(keys(envelope(entry(change({ contacts: [CONTACT], messages: ids.map(text) }))))).toEqual(
      ids.map((id) => `number:${NUMBER_ID} ${id}`),
    );
  });

  test("one entry with five changes, and five entries with one, are five, in order", () => {
    const ids = ["a", "b", "c", "d", "e"];
    const changes = ids.map((id) => change({ messages: [text(id)] }));
    const five = ids.map((id) => `number:${NUMBER_ID} ${id}`);
    expect(keys(envelope(entry(...changes)))).toEqual(five);
    expect(keys(envelope(...changes.map((one) => entry(one))))).toEqual(five);
  });

  test("two entries for two numbers go to their own numbers", () => {
    expect(
      keys(
        envelope(
          entry(change({ messages: [text("a")] }, { numberId: "111" })),
          entry(change({ messages: [text("b")] }, { numberId: "222" })),
        ),
      ),
    ).toEqual(["number:111 a", "number:222 b"]);
  });

  test("the same webhook three times gives the same events each time, so that the core recognises them", () => {
    const body = envelope(entry(change({ contacts: [CONTACT], messages: [text("a")], statuses: [status()] })));
    expect(parse(body).length).toBe(2);
    expect([parse(body), parse(body)]).toEqual([parse(body), parse(body)]);
  });

  test("messages, statuses and errors in one value are all there", () => {
    expect(
      keys(envelope(entry(change({ messages: [text("a")], statuses: [status()], errors: [{ code: 131000 }] })))),
    ).toEqual([`number:${NUMBER_ID} a`, `number:${NUMBER_ID} wamid.S`, `number:${NUMBER_ID} error 131000`]);
  });

  test("a thousand updates in one body are a thousand", () => {
    const ids = Array.from({ length: 1000 }, (_, index) => `wamid.${index}`);
    expect(parse(envelope(entry(change({ contacts: [CONTACT], messages: ids.map(text) })))).length).toBe(1000);
  });

  test("a field of an account has no number: it belongs to the account, with the time that the entry gives", () => {
    const entries = [
      { id: WABA, time: 1739321024, changes: [{ field: "account_alerts", value: { entity_type: "BUSINESS" } }] },
    ];
    expect(parse(envelope(...entries))).toEqual([
      {
        route: { by: "account", id: WABA },
        event: { kind: "unknown", at: 1739321024000, what: "field account_alerts" },
      },
    ]);
  });

  test.each(["flows", "security", "something_new", "constructor"])(
    "field %s is unknown, not an error, and never read as messages",
    (field) => {
      expect(keys(envelope(entry({ field, value: { messages: [message()] } })))).toEqual([
        `account:${WABA} field ${field}`,
      ]);
      expect(keys(envelope(entry(change({ messages: [message()] }, { field }))))).toEqual([
        `number:${NUMBER_ID} field ${field}`,
      ]);
    },
  );

  test.each([
    "messages",
    "calls",
    "history",
    "smb_message_echoes",
    "smb_app_state_sync",
    "user_id_update",
    "user_preferences",
  ])("field %s without a number is unknown: one customer's must not reach every channel of the account", (field) => {
    expect(keys(envelope(entry({ field, value: { messages: [message()], message_echoes: [message()] } })))).toEqual([
      `account:${WABA} ${field} without a phone_number_id`,
    ]);
    expect(keys(envelope(entry(change({}, { field }))))).toEqual([`number:${NUMBER_ID} ${field} with nothing in it`]);
  });

  test("samples write the field's name beside the value, inside it, and beside the changes", () => {
    const value = change({ messages: [message()] }).value;
    expect(keys(envelope(entry({ value: { ...value, field: "messages" } })))).toEqual([`number:${NUMBER_ID} wamid.A`]);
    expect(keys(envelope({ ...entry({ value }), field: "messages" }))).toEqual([`number:${NUMBER_ID} wamid.A`]);
  });

  test("a failed status of a message sent elsewhere keeps its error", () => {
    const errors = [
      {
        code: 131026,
        title: "Message undeliverable",
        message: "Message undeliverable",
        error_data: { details: "Receiver is incapable." },
      },
    ];
    expect(receipt({ status: "failed", errors })).toEqual({
      kind: "receipt",
      key: "wamid.S",
      at: 1750000001000,
      status: "failed",
      to: { pn: "16505551234" },
      error: { code: 131026, reason: "(#131026) Message undeliverable: Receiver is incapable." },
    } as never);
  });
});

describe("G-610 a message of every type", () => {
  test("text, with who wrote it, as the envelope's contact names them", () => {
    expect(received({})).toEqual({
      kind: "received",
      key: "wamid.A",
      at: 1749416383000,
      from: { pn: "16505551234", bsuid: "US.13491208655302741918" },
      chat: { pn: "16505551234", bsuid: "US.13491208655302741918" },
      pushName: "Sheena",
      content: { type: "text", content: { text: "oi" } },
    } as never);
  });

  test("an empty text is a text", () => {
    expect(received({ text: { body: "" } })).toMatchObject({ content: { type: "text", content: { text: "" } } });
  });

  test.each(["image", "video", "audio", "document", "sticker"])(
    "%s: the file's metadata for the download, the rest for the customer",
    (type) => {
      const event = received({
        type,
        [type]: {
          id: "2754",
          mime_type: "application/x",
          sha256: Buffer.alloc(32, 7).toString("base64"),
          url: "https://lookaside",
          caption: "a",
          filename: "f.x",
        },
      });
      expect(event).toMatchObject({
        content: { type, content: { caption: "a", mimeType: "application/x", filename: "f.x" } },
        media: { nativeId: "2754", contentType: "application/x", sha256: "07".repeat(32), filename: "f.x" },
      });
      expect(JSON.stringify(event)).not.toContain("lookaside");
    },
  );

  test("a voice note is marked; a media id that came as a number is an id", () => {
    expect(
      received({ type: "audio", audio: { id: 2754, mime_type: "audio/ogg; codecs=opus", voice: true } }),
    ).toMatchObject({
      content: { type: "audio", content: { mimeType: "audio/ogg; codecs=opus", voice: true } },
      media: { nativeId: "2754", contentType: "audio/ogg; codecs=opus" },
    });
    const plain = received({ type: "audio", audio: { id: "2754" } });
    expect(plain).toMatchObject({ content: { content: { mimeType: "application/octet-stream" } } });
    expect(JSON.stringify(plain)).not.toContain("voice");
  });

  test("media that the upstream could not keep is unsupported, not a file without an id", () => {
    const event = received({ type: "image", image: {}, errors: [{ code: 131052 }] });
    expect(event).toMatchObject({ content: { type: "unsupported", content: { originalType: "image" } } });
    expect(event).not.toHaveProperty("media");
  });

  test("location, also with coordinates as text; without coordinates it is unsupported", () => {
    expect(
      received({ type: "location", location: { latitude: -23.5, longitude: "-46.6", name: "Sé", address: "Praça" } }),
    ).toMatchObject({
      content: { type: "location", content: { latitude: -23.5, longitude: -46.6, name: "Sé", address: "Praça" } },
    });
    expect(received({ type: "location", location: { latitude: "north" } })).toMatchObject({
      content: { type: "unsupported", content: { originalType: "location" } },
    });
  });

  test("contacts, as they came", () => {
    const contacts = [{ name: { formatted_name: "Bia" }, phones: [{ phone: "+55 11 91111-1111" }] }];
    expect(received({ type: "contacts", contacts })).toMatchObject({
      content: { type: "contact", content: { contacts } },
    });
  });

  test("G-384 G-615 a template's quick-reply tap is a button_reply whose selectedId is the payload", () => {
    expect(
      received({
        type: "button",
        button: { payload: "PAY-1", text: "Pagar" },
        context: { from: "5511987654321", id: "wamid.T" },
      }),
    ).toMatchObject({
      content: { type: "button_reply", content: { selectedId: "PAY-1", text: "Pagar" } },
      quotedProviderMessageId: "wamid.T",
    });
  });

  test.each(["button_reply", "list_reply"])(
    "G-615 an interactive %s is a button_reply whose selectedId is its id",
    (type) => {
      expect(
        received({
          type: "interactive",
          interactive: { type, [type]: { id: "opt-2", title: "Dois", description: "x" } },
        }),
      ).toMatchObject({
        content: { type: "button_reply", content: { selectedId: "opt-2", text: "Dois" } },
      });
    },
  );

  test.each([
    [{ type: "interactive", interactive: { type: "nfm_reply", nfm_reply: { name: "flow" } } }, "nfm_reply"],
    [
      {
        type: "interactive",
        interactive: { type: "call_permission_reply", call_permission_reply: { response: "perhaps" } },
      },
      "call_permission_reply",
    ],
    [{ type: "interactive", interactive: { type: "product_reply", product_reply: {} } }, "product_reply"],
    [{ type: "interactive", interactive: {} }, "interactive"],
    [{ type: "interactive", interactive: { type: "button_reply" } }, "button_reply"],
    [{ type: "button", button: {} }, "button"],
    [{ type: "order", order: { catalog_id: "1", product_items: [] } }, "order"],
    [{ type: "reaction", reaction: { emoji: "😀" } }, "reaction"],
    [{ type: "edit", edit: { original_message_id: "wamid.B" } }, "edit"],
    [{ type: "edit", edit: { message: { type: "text", text: { body: "a" } } } }, "edit"],
    [{ type: "revoke", revoke: {} }, "revoke"],
    [{ type: "unsupported", unsupported: { type: "poll" }, errors: [{ code: 131051 }] }, "poll"],
    [{ type: "unsupported" }, "unsupported"],
    [{ type: "hologram", hologram: {} }, "hologram"],
    [{ type: "constructor" }, "constructor"],
    [{ type: undefined }, "unknown"],
    [{ text: undefined }, "text"],
  ])("G-610 %j is not dropped: it is unsupported and named", (more, originalType) => {
    expect(received(more)).toMatchObject({
      kind: "received",
      key: "wamid.A",
      content: { type: "unsupported", content: { originalType } },
    });
  });

  test("a reply names what it quotes; a forwarded message quotes nothing", () => {
    expect(received({ context: { from: "1", id: "wamid.Q" } })).toMatchObject({ quotedProviderMessageId: "wamid.Q" });
    expect(received({ context: { forwarded: true } })).not.toHaveProperty("quotedProviderMessageId");
  });
});

describe("who wrote", () => {
  test("a user with a username may have no number: the user id stands for them", () => {
    const contact = { profile: { name: "Ana", username: "ana.k" }, user_id: "BR.1", parent_user_id: "BR.ENT.9" };
    expect(received({ from: undefined, from_user_id: "BR.1" }, [CONTACT, contact])).toMatchObject({
      from: { bsuid: "BR.1", parentBsuid: "BR.ENT.9", username: "ana.k" },
      pushName: "Ana",
    });
  });

  test("each message of a batch gets the name of its own contact, and none where there is none", () => {
    const contacts = [CONTACT, { profile: { name: "Bia" }, wa_id: "5511911111111" }];
    const messages = [
      message({ id: "1", from: "5511911111111" }),
      message({ id: "2" }),
      message({ id: "3", from: "5511922222222" }),
    ];
    const events = parse(envelope(entry(change({ contacts, messages })))).map(({ event }) => event);
    expect(events).toMatchObject([
      { pushName: "Bia" },
      { pushName: "Sheena" },
      { pushName: null, from: { pn: "5511922222222" } },
    ]);
  });

  test("defects of samples are accepted: a u before an id, an @ before a username, a numeric phone, spaces", () => {
    const contact = {
      profile: { name: "Ana", username: "@ana" },
      wa_id: 16505551234,
      user_id: "uUS.13491208655302741918",
    };
    expect(received({ from: 16505551234, timestamp: 1749416383 }, [contact])).toMatchObject({
      at: 1749416383000,
      from: { pn: "16505551234", bsuid: "US.13491208655302741918", username: "ana" },
    });
    expect(
      parse(JSON.stringify(envelope(entry(change({ messages: [message()] }))), null, 2).replaceAll("  ", "\u00a0 "))
        .length,
    ).toBe(1);
  });

  test("a message of nobody or without an id is unknown, not somebody else's", () => {
    expect(received({ from: undefined }, [])).toMatchObject({ kind: "unknown", what: "message without a sender" });
    expect(received({ id: undefined })).toMatchObject({ kind: "unknown", what: "message without an id" });
  });
});

describe("a status", () => {
  test.each([
    ["sent", "sent"],
    ["delivered", "delivered"],
    ["read", "read"],
    ["played", "read"],
  ])("%s is the receipt %s", (upstream, ours) => {
    expect(receipt({ status: upstream })).toMatchObject({
      kind: "receipt",
      status: ours,
      key: "wamid.S",
      at: 1750000001000,
    });
  });

  test("brings our messageId back, and nobody else's data", () => {
    expect(receipt({ biz_opaque_callback_data: MESSAGE_ID })).toMatchObject({ messageId: MESSAGE_ID });
    expect(receipt({ biz_opaque_callback_data: "campaign-7" })).not.toHaveProperty("messageId");
  });

  test("says whom it is about, in both spellings", () => {
    expect(receipt({ recipient_user_id: "US.1", recipient_parent_user_id: "US.ENT.2" })).toMatchObject({
      to: { pn: "16505551234", bsuid: "US.1", parentBsuid: "US.ENT.2" },
    });
    expect(
      receipt({ recipient_id: undefined, recipient_user_id: "US.1", parent_recipient_user_id: "US.ENT.2" }),
    ).toMatchObject({ to: { bsuid: "US.1", parentBsuid: "US.ENT.2" } });
  });

  test("carries what the message costs", () => {
    expect(
      receipt({ pricing: { billable: true, pricing_model: "PMP", type: "regular", category: "utility" } }),
    ).toMatchObject({
      pricing: { isBillable: true, category: "utility" },
    });
    expect(receipt({ pricing: { billable: false, category: "service" } })).toMatchObject({
      pricing: { isBillable: false, category: "service" },
    });
    expect(receipt({ pricing: { type: "regular", category: "marketing" } })).toMatchObject({
      pricing: { isBillable: true, category: "marketing" },
    });
    expect(receipt({ pricing: { type: "free_customer_service", category: "service" } })).toMatchObject({
      pricing: { isBillable: false },
    });
    expect(receipt({ pricing: { type: "unheard_of", category: "service" } })).toMatchObject({
      pricing: { isBillable: true, type: "unheard_of" },
    });
    expect(receipt({ pricing: {} })).not.toHaveProperty("pricing");
  });

  test("G-320 failed for the format of its file says so; for any other reason it does not", () => {
    const failed = (code: number, details: string) =>
      receipt({ status: "failed", errors: [{ code, title: "Media upload error", error_data: { details } }] });
    expect(failed(131053, "Unsupported Voice mime type audio/opus.")).toMatchObject({
      error: { code: 131053, isFormatRefused: true },
    });
    expect(failed(131053, "Downloading media from weblink failed with http code 404")).not.toHaveProperty(
      "error.isFormatRefused",
    );
    expect(failed(131052, "Unsupported Voice mime type audio/opus.")).not.toHaveProperty("error.isFormatRefused");
  });

  test("failed without an error has code 0; a status that is not known or has no id is unknown", () => {
    expect(receipt({ status: "failed" })).toMatchObject({ status: "failed", error: { code: 0 } });
    expect(receipt({ status: "warning" })).toMatchObject({ kind: "unknown", what: "status warning" });
    expect(receipt({ id: undefined })).toMatchObject({ kind: "unknown", what: "status without an id" });
  });
});

describe("a body that is nothing we know", () => {
  test.each([
    "",
    "null",
    "[]",
    "42",
    "not json",
    '{"object":"whatsapp_business_account"',
    "{}",
    '{"object":"instagram","entry":[{"id":"1"}]}',
  ])("%j is one unknown event", (body) => {
    expect(parse(body).map(({ event }) => event.kind)).toEqual(["unknown"]);
  });

  test("whatever a part is replaced by, reading never throws and never loses the rest", () => {
    const good = change({ contacts: [CONTACT], messages: [message()], statuses: [status()] });
    for (const junk of [null, 1, "x", [], {}, true, [null], [[]], { id: {} }]) {
      for (const part of ["value", "field", "metadata", "contacts", "messages", "statuses", "errors"]) {
        const broken =
          part === "value" || part === "field"
            ? { ...good, [part]: junk }
            : { ...good, value: { ...good.value, [part]: junk } };
        const last = parse(envelope(entry(broken, good))).slice(-2);
        expect(last.map(({ event }) => event.kind)).toEqual(["received", "receipt"]);
      }
      for (const part of ["from", "id", "timestamp", "type", "text", "context"])
        expect(received({ [part]: junk })?.kind).toMatch(/^(received|unknown)$/);
      for (const part of ["id", "status", "timestamp", "recipient_id", "errors", "pricing"])
        expect(receipt({ [part]: junk, status: part === "status" ? junk : "failed" })?.kind).toMatch(
          /^(receipt|unknown)$/,
        );
    }
  });

  test("a time that is none, or beyond all dates, is 0", () => {
    for (const timestamp of [undefined, "", "soon", "-5", "1e300", {}])
      expect(received({ timestamp })).toMatchObject({ kind: "received", at: 0 });
  });
});
