import { describe, expect, test } from "bun:test";
import type { Action, Operation } from "../../../src/contract/abilities/operations.ts";
import type { Content } from "../../../src/contract/content/content.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import {
  ACCOUNT,
  callsTo,
  MESSAGE_ID,
  orderOf,
  socialChannel,
  TEXT,
  TOKEN,
  USER,
  vaultAt,
} from "../../support/networks/social-channel.ts";

const channel = socialChannel();
const URL = "https://files.example.com/a";
const bodies = () => callsTo(channel(), "messages").map(({ body }) => body);
const keys = () => [...channel().instagram.sent.keys()];

describe("M26-8 images that go singly", () => {
  test("M26-8 after the first of them a failure is final, and says what is missing", async () => {
    const { instagram, link } = channel();
    instagram.configure({ takesSeveralImages: false });
    const links = [URL, "http://127.0.0.1:1/missing.jpg", `${URL}3`];
    const outcome = await link.send(
      orderOf({ type: "image", content: { images: links.map((mediaUrl) => ({ mediaUrl })) } }),
    );
    expect(outcome).toMatchObject({
      ok: false,
      kind: "refused",
      reason: expect.stringContaining("the file was sent, the next one was not"),
      furtherKeys: keys(),
    });
    expect([keys().length, bodies().length]).toEqual([1, 3]);
  });
});

describe("a send", () => {
  const BODIES: [what: string, content: Content, messages: unknown[]][] = [
    ["a text", { type: "text", content: { text: "olá, 🥖" } }, [{ text: "olá, 🥖" }]],
    [
      "a text with a quick reply",
      { type: "text", content: { text: "quer?", quickReplies: [{ id: "sim", text: "Sim" }] } },
      [{ text: "quer?", quick_replies: [{ content_type: "text", title: "Sim", payload: "sim" }] }],
    ],
    [
      "an image",
      { type: "image", content: { mediaUrl: URL } },
      [{ attachment: { type: "image", payload: { url: URL } } }],
    ],
    [
      "a video",
      { type: "video", content: { mediaUrl: URL } },
      [{ attachment: { type: "video", payload: { url: URL } } }],
    ],
    [
      "an audio",
      { type: "audio", content: { mediaUrl: URL, ptt: true } },
      [{ attachment: { type: "audio", payload: { url: URL } } }],
    ],
    [
      "an image with an empty caption",
      { type: "image", content: { mediaUrl: URL, caption: "" } },
      [{ attachment: { type: "image", payload: { url: URL } } }],
    ],
    [
      "an image with a caption, which follows as a text",
      { type: "image", content: { mediaUrl: URL, caption: "a loja" } },
      [{ attachment: { type: "image", payload: { url: URL } } }, { text: "a loja" }],
    ],
  ];
  test.each(BODIES)("of %s", async (_, content, messages) => {
    const outcome = await channel().link.send(orderOf(content));
    const [key, ...furtherKeys] = keys() as ProviderMessageId[];
    expect(outcome).toEqual({
      ok: true,
      key: key as ProviderMessageId,
      ...(furtherKeys.length > 0 ? { furtherKeys } : {}),
    });
    expect(bodies()).toEqual(messages.map((message) => ({ recipient: { id: USER }, message })));
  });

  test("goes to the account's own path in the configured version, with its token in the header alone", async () => {
    await channel().link.send(orderOf());
    const [call] = callsTo(channel(), "messages");
    expect([call?.method, call?.path, call?.query]).toEqual(["POST", `/graph/v25.0/${ACCOUNT}/messages`, {}]);
    expect(call?.headers["authorization"]).toBe(`Bearer ${TOKEN}`);
    expect(JSON.stringify(call?.body)).not.toContain(TOKEN);
  });

  test("takes the token anew from the vault each time", async () => {
    const { host, instagram, link } = channel();
    instagram.addToken({ token: "IGAA-newer", igUserId: ACCOUNT });
    await link.send(orderOf());
    await host.vault.write({ accessToken: "IGAA-newer" });
    await link.send(orderOf());
    expect(callsTo(channel(), "messages").map(({ headers }) => headers["authorization"])).toEqual([
      `Bearer ${TOKEN}`,
      "Bearer IGAA-newer",
    ]);
  });

  test("G-297 without credentials is refused, and the network is not asked", async () => {
    for (const vault of [{}, { igUserId: ACCOUNT }, { accessToken: TOKEN }] as Record<string, string>[])
      expect(await channel().open(vault).link.send(orderOf())).toMatchObject({
        kind: "refused",
        code: "IG_CREDS_MISSING",
      });
    expect(channel().instagram.journal).toEqual([]);
  });

  test("with a vault that cannot be read is tried again later", async () => {
    const { host, link } = channel();
    host.breakVault();
    expect(await link.send(orderOf())).toMatchObject({ kind: "retry", code: "INTERNAL_ERROR" });
    expect(channel().instagram.journal).toEqual([]);
  });
});

test("a comment is not answered with quick replies, and the network is not asked", async () => {
  const text: Content = { type: "text", content: { text: "quer?", quickReplies: [{ id: "sim", text: "Sim" }] } };
  const quoted = "comment:17900" as ProviderMessageId;
  expect(await channel().link.send({ ...orderOf(text), quotedProviderMessageId: quoted })).toMatchObject({
    kind: "refused",
    code: "UPSTREAM_UNSUPPORTED",
  });
  expect(bodies()).toEqual([]);
});

describe("a caption that fails", () => {
  const captioned = orderOf({ type: "image", content: { mediaUrl: URL, caption: "a loja" } });
  /** The message with the caption, which is the second, fails so. */
  const send = async (failure: Parameters<ReturnType<typeof channel>["instagram"]["fail"]>[0]["failure"]) => {
    const { instagram, link } = channel();
    instagram.failNext(1, failure, { spared: 1 });
    return link.send(captioned);
  };

  test("ends the message with the upstream's code, and keeps the id of the file that was sent", async () => {
    expect(await send({ kind: "error", code: 10, subcode: 2534022 })).toEqual({
      ok: false,
      kind: "refused",
      code: "UPSTREAM_BAD_REQUEST",
      upstreamCode: 10,
      reason: "the file was sent, its caption was not: (#10) This message is sent outside of allowed window.",
      furtherKeys: keys() as ProviderMessageId[],
    });
  });

  test("never sends the file again: what may be tried again elsewhere ends it too", async () => {
    expect(await send({ kind: "error", code: 4 })).toMatchObject({
      kind: "refused",
      code: "UPSTREAM_RATE_LIMIT",
      upstreamCode: 4,
    });
    expect(keys()).toHaveLength(1);
  });

  test("may have arrived where its answer was lost, and says that", async () => {
    expect(await send({ kind: "reset", isAccepted: true })).toMatchObject({
      kind: "refused",
      code: "OUTCOME_UNKNOWN",
      reason: expect.stringMatching(/^the file was sent, and perhaps its caption: no answer came/),
    });
    expect(keys()).toHaveLength(2);
  });

  test("a file that fails leaves nothing to follow it", async () => {
    const { instagram, link } = channel();
    instagram.failNext(1, { kind: "error", code: 100 });
    expect(await link.send(captioned)).toEqual({
      ok: false,
      kind: "refused",
      code: "UPSTREAM_BAD_REQUEST",
      upstreamCode: 100,
      reason: "(#100) Invalid parameter",
    });
    expect(bodies()).toHaveLength(1);
  });
});

describe("an operation", () => {
  const operate = (action: Action, key: string) =>
    channel().link.operate?.({ ...action, key, chat: `igsid:${USER}`, sender: null } as Operation);
  const sent = async (): Promise<string> => {
    const outcome = await channel().link.send(orderOf());
    if (!outcome.ok) throw new Error(outcome.reason);
    return outcome.key;
  };

  test("reacts, takes the reaction back, and marks the conversation as seen", async () => {
    const key = await sent();
    for (const action of [{ name: "react", emoji: "👍" }, { name: "react", emoji: "" }, { name: "read" }] as const)
      expect(await operate(action, key)).toEqual({ ok: true });
    expect(channel().instagram.actions.map(({ action, messageId, reaction }) => [action, messageId, reaction])).toEqual(
      [
        ["react", key, "👍"],
        ["unreact", key, undefined],
        ["mark_seen", undefined, undefined],
      ],
    );
  });

  test.each([{ name: "edit", text: "x" }, { name: "delete" }, { name: "typing" }] as const)(
    "%p has no call, and none is made",
    async (action) => {
      const key = await sent();
      expect(await operate(action, key)).toMatchObject({ ok: false, kind: "refused", code: "UPSTREAM_UNSUPPORTED" });
      expect(bodies()).toHaveLength(1);
    },
  );

  test("exactly those are among the capabilities", () => {
    expect(channel().plugin.capabilities.operations).toEqual({
      react: { inbound: true, outbound: true },
      read: { inbound: true },
    });
  });

  test("that the network refuses says why; without credentials nobody is asked", async () => {
    expect(await operate({ name: "react", emoji: "👍" }, "mid.OF-ANOTHER")).toMatchObject({
      ok: false,
      kind: "refused",
      upstreamCode: 100,
    });
    const outcome = await channel()
      .open({})
      .link.operate?.({ name: "read", key: "mid.A" as ProviderMessageId, chat: `igsid:${USER}`, sender: null });
    expect(outcome).toMatchObject({ kind: "refused", code: "IG_CREDS_MISSING" });
  });
});

describe("an address", () => {
  const address = (to: string) => channel().plugin.address(to);

  test("G-278 is the person's scoped id, bare or as canonical key", () => {
    expect([address(USER), address(`igsid:${USER}`)]).toEqual([
      { ok: true, to: `igsid:${USER}` },
      { ok: true, to: `igsid:${USER}` },
    ]);
  });

  test.each([
    "",
    "1",
    "ana",
    "+5511999990000",
    "pn:5511999990000",
    "igsid:",
    `igsid:${USER}x`,
    ` ${USER}`,
    "9".repeat(41),
    "group:123456",
  ])("%p is none", (to) => {
    expect(address(to)).toEqual({ ok: false, code: "RECIPIENT_INVALID" });
  });
});

test("what a channel is called stays out of what it sends", async () => {
  await channel().open(vaultAt(0)).link.send(orderOf(TEXT));
  expect(JSON.stringify(bodies())).not.toContain(MESSAGE_ID);
});
