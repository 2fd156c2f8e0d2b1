import { describe, expect, test } from "bun:test";
import { CONTACT, eventsOf, type Part, receipt, received, USER } from "../../support/networks/waba-envelope.ts";

const BSUID = "US.13491208655302741918";
const SHEENA = { pn: USER, bsuid: BSUID };

describe("what a user does to an earlier message", () => {
  const act = { nativeId: "wamid.A", key: "wamid.B", at: 1749416383000, from: SHEENA };

  test("a reaction is one, not a message; without an emoji, or with an empty one, it is taken back", () => {
    expect(received({ type: "reaction", reaction: { message_id: "wamid.B", emoji: "😀" } })).toEqual({
      kind: "reacted",
      ...act,
      emoji: "😀",
    } as never);
    for (const reaction of [{ message_id: "wamid.B" }, { message_id: "wamid.B", emoji: "" }])
      expect(received({ type: "reaction", reaction })).toEqual({ kind: "reacted", ...act, emoji: null } as never);
  });

  test("an edit brings the new text, or the new caption of a file, or that the caption is gone", () => {
    const edit = (more: object) =>
      received({ type: "edit", edit: { original_message_id: "wamid.B", message: { context: { id: "M0" }, ...more } } });
    expect(edit({ type: "text", text: { body: "corrected" } })).toEqual({
      kind: "edited",
      ...act,
      text: "corrected",
    } as never);
    expect(edit({ type: "image", image: { id: "1", caption: "a new caption" } })).toMatchObject({
      kind: "edited",
      key: "wamid.B",
      text: "a new caption",
    });
    expect(edit({ type: "image", image: { id: "1" } })).toMatchObject({ kind: "edited", text: "" });
    expect(edit({ type: "text", text: { body: "" } })).toMatchObject({ kind: "edited", text: "" });
  });

  test("a revocation", () => {
    expect(received({ type: "revoke", revoke: { original_message_id: "wamid.B" } })).toEqual({
      kind: "revoked",
      ...act,
    } as never);
  });
});

describe("system messages say who somebody is now", () => {
  const system = (fields: object, more: object = {}) =>
    eventsOf("messages", {
      messages: [{ from: USER, id: "wamid.A", timestamp: "1750269342", type: "system", system: fields, ...more }],
    });

  test("user_changed_number: another number and, where they are named, other ids", () => {
    expect(
      system({
        body: "User Sheena changed from 16505551234 to 12195555358",
        wa_id: "12195555358",
        type: "user_changed_number",
      }),
    ).toEqual([{ kind: "known", at: 1750269342000, identity: { pn: "12195555358" }, before: { pn: USER } }]);
    const ids = {
      user_id: "US.NEW",
      previous_user_id: "US.OLD",
      parent_user_id: "US.ENT.NEW",
      previous_parent_user_id: "US.ENT.OLD",
    };
    expect(system({ type: "user_changed_number", wa_id: "12195555358", ...ids })).toEqual([
      {
        kind: "known",
        at: 1750269342000,
        identity: { pn: "12195555358", bsuid: "US.NEW", parentBsuid: "US.ENT.NEW" },
        before: { pn: USER, bsuid: "US.OLD", parentBsuid: "US.ENT.OLD" },
      },
    ]);
  });

  test("user_changed_user_id: another id; nobody's number need be shown", () => {
    const change = { type: "user_changed_user_id", user_id: "MX.NEW", previous_user_id: "CO.OLD" };
    expect(system(change, { from: undefined })).toEqual([
      { kind: "known", at: 1750269342000, identity: { bsuid: "MX.NEW" }, before: { bsuid: "CO.OLD" } },
    ]);
    expect(system(change)).toMatchObject([{ identity: { pn: USER, bsuid: "MX.NEW" }, before: { bsuid: "CO.OLD" } }]);
    expect(system({ type: "user_changed_user_id", user_id: "MX.NEW" }, { from_user_id: "CO.OLD" })).toMatchObject([
      { before: { bsuid: "CO.OLD" } },
    ]);
  });

  test("any other, and one that names nobody, is unknown: nobody wrote it", () => {
    expect(system({ type: "customer_identity_changed", body: "User identity changed" })).toMatchObject([
      { kind: "unknown", what: "system customer_identity_changed" },
    ]);
    expect(system({ type: "user_changed_number" })).toMatchObject([
      { kind: "unknown", what: "system user_changed_number" },
    ]);
    expect(system({})).toMatchObject([{ kind: "unknown", what: "system without a name" }]);
  });
});

describe("answers to interactive messages", () => {
  const interactive = (type: string, reply: object) =>
    received({ type: "interactive", interactive: { type, [type]: reply } });

  test("a flow's and an address's answers come parsed", () => {
    const response = { flow_token: "t-1", name: "Ana", items: [1, { a: true }] };
    expect(
      interactive("nfm_reply", { name: "flow", body: "Sent", response_json: JSON.stringify(response) }),
    ).toMatchObject({
      kind: "received",
      content: { type: "flow_reply", content: { name: "flow", text: "Sent", response } },
    });
    expect(
      interactive("nfm_reply", { name: "address_message", response_json: '{"values":{"city":"Rio"}}' }),
    ).toMatchObject({
      content: { type: "flow_reply", content: { name: "address_message", response: { values: { city: "Rio" } } } },
    });
  });

  test("answers that are no JSON are passed on as they came", () => {
    const deep = "[".repeat(50_000) + "]".repeat(50_000); // nothing could write it again
    expect(interactive("nfm_reply", { response_json: deep })).toMatchObject({
      content: { type: "flow_reply", content: { response: deep } },
    });
    expect(interactive("nfm_reply", { response_json: "{broken" })).toMatchObject({
      content: { type: "flow_reply", content: { name: "flow", response: "{broken" } },
    });
  });

  test("a call permission, for a time or for good, or refused", () => {
    expect(
      interactive("call_permission_reply", {
        response: "accept",
        expiration_timestamp: 1750000000,
        response_source: "user_action",
      }),
    ).toMatchObject({
      content: {
        type: "call_permission_reply",
        content: {
          response: "accept",
          isPermanent: false,
          expiresAt: "2025-06-15T15:06:40.000Z",
          source: "user_action",
        },
      },
    });
    expect(interactive("call_permission_reply", { response: "accept", is_permanent: true })).toMatchObject({
      content: { content: { isPermanent: true, expiresAt: null } },
    });
    expect(interactive("call_permission_reply", { response: "reject", response_source: "automatic" })).toMatchObject({
      content: { content: { response: "reject" } },
    });
  });

  test("a row's description comes along", () => {
    expect(interactive("list_reply", { id: "r1", title: "One", description: "the first" })).toMatchObject({
      content: { type: "button_reply", content: { selectedId: "r1", text: "One", description: "the first" } },
    });
  });
});

test("an order with its items; numbers may come as texts", () => {
  const product_items = [
    { product_retailer_id: "sku-1", quantity: 2, item_price: "9.90", currency: "BRL" },
    { product_retailer_id: "sku-2" },
    { quantity: 1 },
  ];
  expect(received({ type: "order", order: { catalog_id: "77", text: "please", product_items } })).toMatchObject({
    content: {
      type: "order",
      content: {
        catalogId: "77",
        text: "please",
        items: [
          { productId: "sku-1", quantity: 2, price: 9.9, currency: "BRL" },
          { productId: "sku-2", quantity: null, price: null, currency: null },
        ],
      },
    },
  });
});

test("somebody who opened the chat and wrote nothing", () => {
  expect(received({ type: "request_welcome", text: undefined })).toMatchObject({
    kind: "received",
    content: { type: "request_welcome", content: {} },
  });
});

test("a message that the network cannot show comes with what the network says of it", () => {
  const errors = [
    {
      code: 131051,
      title: "Message type unknown",
      message: "Message type unknown",
      error_data: { details: "Message type is currently not supported." },
    },
  ];
  expect(received({ type: "unsupported", unsupported: { type: "poll" }, errors })).toMatchObject({
    content: {
      type: "unsupported",
      content: {
        originalType: "poll",
        errors: [{ code: 131051, title: "Message type unknown", details: "Message type is currently not supported." }],
      },
    },
  });
});

describe("how a message came about", () => {
  const content = (more: Part) => (received(more) as { content: { content: object } }).content.content;

  test("forwarded, and forwarded often", () => {
    expect(content({ context: { forwarded: true } })).toEqual({ text: "oi", forwarded: true });
    expect(content({ context: { frequently_forwarded: true } })).toEqual({
      text: "oi",
      forwarded: true,
      frequentlyForwarded: true,
    });
    expect(content({ context: { forwarded: false, id: "wamid.Q" } })).toEqual({ text: "oi" });
  });

  test("from an advertisement, of a text and of a file", () => {
    const referral = {
      source_url: "https://fb.me/x",
      source_id: "120",
      source_type: "ad",
      headline: "Chat with us",
      body: "New!",
      media_type: "image",
      image_url: "https://scontent/x",
      ctwa_clid: "ARAk",
      welcome_message: { text: "Hi there" },
    };
    const rendered = {
      sourceUrl: "https://fb.me/x",
      sourceId: "120",
      sourceType: "ad",
      headline: "Chat with us",
      body: "New!",
      mediaType: "image",
      imageUrl: "https://scontent/x",
      ctwaClid: "ARAk",
      welcomeText: "Hi there",
    };
    expect(content({ referral })).toEqual({ text: "oi", referral: rendered });
    expect(content({ type: "image", image: { id: "1", mime_type: "image/jpeg" }, referral })).toEqual({
      mimeType: "image/jpeg",
      referral: rendered,
    });
    expect(content({ referral: {} })).toEqual({ text: "oi" });
  });

  test("about a product", () => {
    expect(
      content({
        context: { from: "1", id: "wamid.Q", referred_product: { catalog_id: "77", product_retailer_id: "sku-1" } },
      }),
    ).toEqual({
      text: "oi",
      referredProduct: { catalogId: "77", productId: "sku-1" },
    });
  });
});

describe("groups", () => {
  const GROUP = "Y2FwaV9ncm91cDoxNzA1NTU1MDEzOToxMjAzNjM0MDQ2OTQyMzM4MjAZD";

  test("a message of a group is the participant's, in the group's chat", () => {
    expect(received({ group_id: GROUP })).toMatchObject({
      kind: "received",
      from: SHEENA,
      chat: { group: GROUP },
      pushName: "Sheena",
    });
    expect(received({ group_id: GROUP, type: "image", image: { id: "5", mime_type: "image/jpeg" } })).toMatchObject({
      chat: { group: GROUP },
      media: { nativeId: "5" },
    });
  });

  test.each([
    [{ recipient_participant_id: USER, recipient_participant_user_id: BSUID }],
    [{ participant_recipient_id: USER, participant_recipient_user_id: BSUID }],
    [{ recipient_participant_id: `+${USER}`, recipient_participant_user_id: `u${BSUID}` }],
  ])("a status of a group is about the participant, spelled %j; the group's id is nobody's number", (names) => {
    expect(receipt({ recipient_type: "group", recipient_id: GROUP, ...names })).toMatchObject({
      kind: "receipt",
      key: "wamid.S",
      to: SHEENA,
    });
    expect(receipt({ recipient_type: "group", recipient_id: GROUP })).not.toHaveProperty("to");
  });

  test("a failure for one participant is not the message's; one for the group is", () => {
    const group = { status: "failed", recipient_type: "group", recipient_id: GROUP, errors: [{ code: 131026 }] };
    expect(receipt({ ...group, recipient_participant_id: USER })).toMatchObject({
      kind: "unknown",
      what: "failure for one participant of a group",
    });
    expect(receipt(group)).toMatchObject({ kind: "receipt", status: "failed", error: { code: 131026 } });
  });

  test("statuses of several participants in one array are each there", () => {
    const statuses = ["1650", "1651"].map((id) => ({
      id: "wamid.S",
      status: "delivered",
      timestamp: "1",
      recipient_type: "group",
      recipient_id: GROUP,
      recipient_participant_id: id,
    }));
    expect(eventsOf("messages", { statuses })).toMatchObject([{ to: { pn: "1650" } }, { to: { pn: "1651" } }]);
  });
});

describe("whom a status is about", () => {
  test("is completed by the contacts of the same envelope: number, ids and username", () => {
    const contact = { ...CONTACT, profile: { name: "Sheena", username: "@RealSheena" }, parent_user_id: "US.ENT.1" };
    expect(receipt({ status: "read" }, [contact])).toMatchObject({
      to: { pn: USER, bsuid: BSUID, parentBsuid: "US.ENT.1", username: "realsheena" },
    });
    expect(receipt({ recipient_id: undefined, recipient_user_id: BSUID }, [contact])).toMatchObject({
      to: { pn: USER, bsuid: BSUID },
    });
    expect(receipt({ recipient_id: "999" }, [contact])).toMatchObject({ to: { pn: "999" } });
  });

  test.each(["recipient_parent_user_id", "parent_recipient_user_id", "parent_user_id"])(
    "the parent's id comes as %s",
    (name) => {
      expect(receipt({ [name]: "US.ENT.2" })).toMatchObject({ to: { pn: USER, parentBsuid: "US.ENT.2" } });
    },
  );

  test("an empty number is none", () => {
    expect(receipt({ recipient_id: "", recipient_user_id: BSUID })).toMatchObject({ to: { bsuid: BSUID } });
    const event = received({ from: "", from_user_id: BSUID }, [
      { profile: { name: "Ana" }, wa_id: "", user_id: BSUID },
    ]);
    expect(event).toMatchObject({ from: { bsuid: BSUID }, pushName: "Ana" });
    expect(event).not.toHaveProperty("from.pn");
  });
});
