import { describe, expect, test } from "bun:test";
import type { HandoverOrder } from "../../../src/contract/abilities/handover.ts";
import type { Content } from "../../../src/contract/content/content.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { NEWEST_GRAPH } from "../../../src/kernel/settings/graph-version.ts";
import { ERRORS } from "../../support/messenger/errors.ts";
import { PAGE_INBOX } from "../../support/messenger/threads.ts";
import { MESSAGE_ID, messengerChannel, PAGE, PERSON, TOKEN, VAULT } from "../../support/networks/messenger-channel.ts";

const channel = messengerChannel();
const TEXT: Content = { type: "text", content: { text: "olá" } };
const messages = () => channel().page.sent.map(({ message }) => message);
const connected = async ({ host, link } = channel()) => {
  link.connect();
  await host.until(() => host.reports.length > 0);
  return host.reports.at(-1);
};

describe("a channel", () => {
  test("connects where the token is the page's, subscribes its webhooks, and proves that it knows the app's secret", async () => {
    expect(await connected()).toEqual({
      state: "CONNECTED",
      profile: { messengerPageId: PAGE, messengerPageName: "Padaria Estrela", messengerWebhookConfigured: true },
    });
    expect(channel().page.subscribed).toContain("message_deliveries");
    expect(channel().messenger.journal.every(({ proof }) => proof !== undefined)).toBe(true);
  });

  test("calls the newest version of the Graph API, and in no form that Meta took from new apps in November 2026", async () => {
    await connected();
    await channel().send(TEXT);
    const { journal } = channel().messenger;
    expect(new Set(journal.map(({ path }) => path.split("/")[1]))).toEqual(new Set([NEWEST_GRAPH]));
    expect(journal.length).toBeGreaterThan(2);
  });

  test("connects without the right to subscribe webhooks, and says so", async () => {
    channel().page.maySubscribe = false;
    expect((await connected())?.profile).toMatchObject({ messengerWebhookConfigured: false });
  });

  test.each([
    ["another page's token", { pageId: "123456789" }, "FAILED"],
    ["a token that the network refuses", { accessToken: "EAAG-another-token-0000" }, "TOKEN_EXPIRED"],
    ["no app secret", { appSecret: "" }, "FAILED"],
  ])("with %s does not connect", async (_, more, state) => {
    expect((await connected(channel().open({ vault: { ...VAULT, ...more } }) as never))?.state).toBe(state as never);
  });

  test("whose token is refused at a send is TOKEN_EXPIRED, and the message waits", async () => {
    await connected();
    channel().page.tokens.clear();
    expect(await channel().send(TEXT)).toMatchObject({ ok: false, kind: "retry", code: "CREDENTIALS_REFUSED" });
    expect(channel().host.reports.at(-1)?.state).toBe("TOKEN_EXPIRED");
  });

  test("that is deleted no longer gets the page's events", async () => {
    await connected();
    await channel().link.forget({ deregister: false, isLastOfAccount: true });
    expect(channel().page.subscribed).toBeUndefined();
  });
});

describe("a message", () => {
  test("is a response within 24 hours of the person's last one, and is refused later", async () => {
    const { host, page } = channel();
    expect(await channel().send(TEXT)).toEqual({ ok: true, key: page.sent[0]?.mid as ProviderMessageId });
    host.clock.advance(DAY_MS + 1);
    expect(await channel().send(TEXT)).toMatchObject({
      kind: "refused",
      code: "UPSTREAM_BAD_REQUEST",
      upstreamCode: 10,
    });
  });

  test("with the human-agent tag goes out for seven days, where Meta has granted the feature", async () => {
    const { host, page } = channel();
    const tagged: Content = { type: "text", content: { text: "olá", tag: "HUMAN_AGENT" } };
    host.clock.advance(3 * DAY_MS);
    expect(await channel().send(tagged)).toMatchObject({ kind: "refused", upstreamCode: 10 });
    page.hasHumanAgent = true;
    expect(await channel().send(tagged)).toMatchObject({ ok: true });
    host.clock.advance(5 * DAY_MS);
    expect(await channel().send(tagged)).toMatchObject({ kind: "refused", upstreamCode: 10 });
  });

  test("to somebody whom the page does not know, or who takes none, says RECIPIENT_UNREACHABLE", async () => {
    expect(await channel().send(TEXT, { to: "uid:99999" })).toMatchObject({ code: "RECIPIENT_UNREACHABLE" });
    const person = channel().page.people.get(PERSON);
    if (person) person.isBlocking = true;
    expect(await channel().send(TEXT)).toMatchObject({ kind: "refused", code: "RECIPIENT_UNREACHABLE" });
  });

  test("has 2,000 characters, whatever their bytes, and not one more", async () => {
    const text = (length: number): Content => ({ type: "text", content: { text: "ã".repeat(length) } });
    expect(await channel().send(text(2000))).toMatchObject({ ok: true });
    expect(await channel().send(text(2001))).toMatchObject({ kind: "refused", code: "UPSTREAM_BAD_REQUEST" });
    expect(messages()).toHaveLength(1);
  });

  test("replies to the quoted message with its first part", async () => {
    const content: Content = {
      type: "image",
      content: { mediaUrl: "https://files.example.com/a.jpg", caption: "bolo" },
    };
    const outcome = await channel().send(content, { quotedProviderMessageId: "m_Q" as ProviderMessageId });
    expect(messages()).toEqual([
      { attachment: { type: "image", payload: { url: "https://files.example.com/a.jpg" } } },
      { text: "bolo" },
    ]);
    const sends = channel().messenger.journal.filter(({ path }) => path.endsWith("/messages"));
    expect(sends.map(({ fields }) => fields["reply_to"])).toEqual([{ mid: "m_Q" }, undefined]);
    expect(outcome).toMatchObject({ ok: true, furtherKeys: [channel().page.sent[1]?.mid] });
  });

  test("whose file has arrived is never tried again, and says that its text is missing", async () => {
    const image: Content = { type: "image", content: { mediaUrl: "https://files.example.com/a.jpg", caption: "bolo" } };
    channel().messenger.refuseNext(/^POST messages$/, 613, undefined, 1);
    expect(await channel().send(image)).toEqual({
      ok: false,
      kind: "refused",
      code: "UPSTREAM_RATE_LIMIT",
      reason: "the file was sent, its text was not: (#613) Calls to this api have exceeded the rate limit.",
      furtherKeys: [channel().page.sent[0]?.mid as ProviderMessageId],
      upstreamCode: 613,
    });
  });

  test("of buttons under a file is the file and then the buttons", async () => {
    await channel().send({
      type: "button",
      content: {
        text: "Escolha",
        header: { type: "image", mediaUrl: "https://files.example.com/a.jpg" },
        buttons: [{ id: "sim", text: "Sim" }],
      },
    });
    expect(messages().map(({ attachment }) => attachment.type)).toEqual(["image", "template"]);
  });
});

describe("buttons", () => {
  const BUTTONS = [
    { id: "sim", text: "Sim" },
    { id: "nao", text: "Não" },
  ];

  test("are a template whose buttons stay, with the header above and the footer below the text", async () => {
    const header = { type: "text", text: "Pedido 42" } as const;
    await channel().send({
      type: "button",
      content: { text: "Confirma?", header, footer: "Padaria", buttons: BUTTONS },
    });
    expect(messages()).toEqual([
      {
        attachment: {
          type: "template",
          payload: {
            template_type: "button",
            text: "Pedido 42\n\nConfirma?\n\nPadaria",
            buttons: [
              { type: "postback", title: "Sim", payload: "sim" },
              { type: "postback", title: "Não", payload: "nao" },
            ],
          },
        },
      },
    ]);
  });

  test("above more than 640 characters are quick replies", async () => {
    const text = "a".repeat(641);
    await channel().send({ type: "button", content: { text, buttons: BUTTONS } });
    expect(messages()).toMatchObject([{ text, quick_replies: [{ payload: "sim" }, { payload: "nao" }] }]);
  });

  test("of a list are quick replies, at most 13, whose second lines stand in the text", async () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ id: `r${at}`, title: `Bolo de cenoura n${at}` }));
    const list = (first: number, second: number): Content => ({
      type: "list",
      content: {
        text: "Bolos",
        buttonText: "Ver",
        sections: [
          { title: "Doces", rows: [{ id: "d", title: "Mel", description: "Com limão" }, ...rows(first)] },
          ...(second > 0 ? [{ title: "Mais", rows: rows(second).map((row) => ({ ...row, id: `s${row.id}` })) }] : []),
        ],
      },
    });
    expect(await channel().send(list(9, 3))).toMatchObject({ ok: true });
    expect(messages()[0]).toMatchObject({ text: "Bolos\nMel: Com limão" });
    expect(messages()[0]?.["quick_replies"]).toHaveLength(13);
    expect(await channel().send(list(9, 4))).toMatchObject({ kind: "refused", code: "UPSTREAM_BAD_REQUEST" });
  });

  test("whose title has more than 20 characters are refused, and nothing is sent cut", async () => {
    const list = (title: string): Content => ({
      type: "list",
      content: { text: "Bolos", buttonText: "Ver", sections: [{ title: "Doces", rows: [{ id: "b", title }] }] },
    });
    expect(await channel().send(list("Bolo de cenoura com ç"))).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("20 characters"),
    });
    expect(messages()).toEqual([]);
    expect(await channel().send(list("Bolo de cenoura com "))).toMatchObject({ ok: true });
  });

  test("below a text disappear after a tap: quick replies", async () => {
    await channel().send({ type: "text", content: { text: "Quer?", quickReplies: BUTTONS } });
    expect(messages()).toEqual([
      {
        text: "Quer?",
        quick_replies: [
          { content_type: "text", title: "Sim", payload: "sim" },
          { content_type: "text", title: "Não", payload: "nao" },
        ],
      },
    ]);
  });

  test("of an address open a page", async () => {
    const content = { text: "Veja", buttonText: "Cardápio", url: "https://padaria.example/cardapio" };
    await channel().send({ type: "cta_url", content });
    expect(messages()[0]).toMatchObject({
      attachment: { payload: { buttons: [{ type: "web_url", url: content.url, title: "Cardápio" }] } },
    });
  });
});

describe("a file that the account keeps", () => {
  const bytes = new Uint8Array(700).fill(7);
  const keeping = (contentType = "application/pdf") => {
    let opened = 0;
    const one = channel().open({
      openFile: async () => {
        opened += 1;
        return {
          body: (async function* () {
            yield bytes;
          })(),
          sizeBytes: bytes.length,
          contentType,
          name: "cardapio.pdf",
        };
      },
    });
    const send = (type: "document" | "audio" = "document") =>
      one.link.send({ type, content: { mediaHandle: "kept:1" }, messageId: MESSAGE_ID, to: `uid:${PERSON}` });
    return { ...one, send, opened: () => opened };
  };

  test("is uploaded once, and sent by its id at the network", async () => {
    const { send, opened } = keeping();
    expect([await send(), await send()]).toMatchObject([{ ok: true }, { ok: true }]);
    const [[id, file] = []] = channel().page.files;
    expect(file).toEqual({ type: "file", bytes: 700, contentType: "application/pdf", filename: "cardapio.pdf" });
    expect([opened(), channel().page.files.size]).toEqual([1, 1]);
    const attachment = { type: "file", payload: { attachment_id: id } };
    expect(messages()).toEqual([{ attachment }, { attachment }]);
  });

  test("is FAILED where the network refuses it, and waits where no answer came: an upload is not a send", async () => {
    const { send } = keeping();
    expect(await send("audio")).toMatchObject({ kind: "refused", code: "UPSTREAM_BAD_REQUEST" });
    channel().messenger.cutNext(/^POST message_attachments$/, true);
    expect(await send()).toMatchObject({ kind: "retry", code: "UPSTREAM_UNAVAILABLE" });
    expect(messages()).toEqual([]);
  });
});

describe("an operation", () => {
  const operate = (what: object) =>
    channel().link.operate?.({ key: "m_IN", chat: `uid:${PERSON}`, sender: `uid:${PERSON}`, ...what } as never);

  test("reacts, takes the reaction back, marks the chat as seen and shows typing", async () => {
    channel().page.received.add("m_IN");
    const outcomes = [
      await operate({ name: "react", emoji: "🥐" }),
      await operate({ name: "react", emoji: "" }),
      await operate({ name: "read" }),
      await operate({ name: "typing" }),
    ];
    expect(outcomes).toEqual([{ ok: true }, { ok: true }, { ok: true }, { ok: true }]);
    expect(channel().page.actions).toEqual([
      { to: PERSON, action: "react", payload: { message_id: "m_IN", reaction: "🥐" } },
      { to: PERSON, action: "unreact", payload: { message_id: "m_IN" } },
      { to: PERSON, action: "mark_seen" },
      { to: PERSON, action: "typing_on" },
    ]);
  });

  test("that the network has no call for is refused", async () => {
    expect(await operate({ name: "delete" })).toMatchObject({ kind: "refused", code: "UPSTREAM_UNSUPPORTED" });
  });
});

describe("the name of a person", () => {
  const known = () => channel().host.events.filter(({ kind }) => kind === "known");
  const profiles = () => channel().messenger.journal.filter(({ path }) => path.endsWith(`/${PERSON}`));

  test("is asked for once, after the page has answered, and is told", async () => {
    await connected();
    await channel().send(TEXT);
    await channel().host.until(() => known().length > 0);
    await channel().send(TEXT);
    await channel().host.settled();
    expect(known()).toMatchObject([{ identity: { uid: PERSON }, name: "Ana Souza" }]);
    expect(profiles()).toHaveLength(1);
  });

  test("that the network does not give costs nothing: the message is sent", async () => {
    const person = channel().page.people.get(PERSON);
    if (person) person.hidesName = true;
    expect(await channel().send(TEXT)).toMatchObject({ ok: true });
    await channel().host.settled();
    expect([profiles().length, known(), channel().host.reports]).toEqual([1, [], []]);
  });

  test("is told no more after the link is closed", async () => {
    const gate = channel().host;
    await channel().send(TEXT);
    await channel().link.close();
    await gate.settled();
    expect(known()).toEqual([]);
  });
});

/** TABLE: what each error of the network means for a message, by `code` or `code/subcode`. */
const MEANINGS: Record<string, string> = {
  "1": "unknown OUTCOME_UNKNOWN",
  "1/1357046": "unknown OUTCOME_UNKNOWN",
  "2": "unknown OUTCOME_UNKNOWN",
  "4": "retry UPSTREAM_RATE_LIMIT",
  "10": "refused UPSTREAM_BAD_REQUEST",
  "10/2018278": "refused UPSTREAM_BAD_REQUEST",
  "10/2018300": "refused THREAD_HELD",
  "27": "retry UPSTREAM_BAD_REQUEST", // of taking a conversation; no send has it
  "100": "refused UPSTREAM_BAD_REQUEST",
  "100/33": "refused UPSTREAM_BAD_REQUEST",
  "100/2018001": "refused RECIPIENT_UNREACHABLE",
  "100/2018008": "refused UPSTREAM_BAD_REQUEST",
  "100/2018047": "refused UPSTREAM_BAD_REQUEST",
  "100/2018074": "refused UPSTREAM_BAD_REQUEST",
  "190": "retry CREDENTIALS_REFUSED",
  "200": "refused UPSTREAM_BAD_REQUEST",
  "200/1545041": "refused RECIPIENT_UNREACHABLE",
  "230": "refused UPSTREAM_BAD_REQUEST",
  "368": "refused UPSTREAM_ACCOUNT_RESTRICTED",
  "551": "refused RECIPIENT_UNREACHABLE",
  "551/1545041": "refused RECIPIENT_UNREACHABLE",
  "613": "retry UPSTREAM_RATE_LIMIT",
  "1200": "retry UPSTREAM_UNAVAILABLE",
};

describe("an error of the network", () => {
  test.each([...ERRORS])("%p has its meaning", async ({ code, subcode }) => {
    channel().messenger.refuseNext(/^POST messages$/, code, subcode);
    const outcome = await channel().send(TEXT);
    const key = subcode === undefined ? String(code) : `${code}/${subcode}`;
    expect(outcome.ok ? "ok" : `${outcome.kind} ${outcome.code}`).toBe(MEANINGS[key] ?? "");
    expect(JSON.stringify(outcome)).not.toContain(TOKEN);
  });

  test("an answer that breaks off or is no JSON leaves the outcome unknown; one before the request does too", async () => {
    channel().messenger.cutNext(/^POST messages$/, true);
    expect(await channel().send(TEXT)).toMatchObject({ kind: "unknown" });
    channel().messenger.garbleNext(/^POST messages$/);
    expect(await channel().send(TEXT)).toMatchObject({ kind: "unknown" });
  });
});

describe("a conversation that several apps share", () => {
  const change = (order: Partial<HandoverOrder>) =>
    channel().link.handover?.change({ action: "take", to: `uid:${PERSON}`, ...order });

  test("is passed to the page's inbox or to an app by its id, taken back and released", async () => {
    const { page, messenger } = channel();
    expect(await change({ action: "pass", targetRole: "page_inbox", metadata: "pedido 42" })).toEqual({ ok: true });
    expect(messenger.journal.at(-1)?.fields).toEqual({
      recipient: { id: PERSON },
      target_app_id: PAGE_INBOX,
      metadata: "pedido 42",
    });
    expect(page.leaders.get(PERSON)).toBe(PAGE_INBOX);
    expect(await change({ action: "take" })).toEqual({ ok: true });
    expect(await change({ action: "release" })).toEqual({ ok: true });
    expect(await change({ action: "pass", targetRole: "1234567890" })).toEqual({ ok: true });
    expect(page.leaders.get(PERSON)).toBe("1234567890");
  });

  test("that another app leads is neither written to, passed on nor released, and is taken only by its right", async () => {
    const { page } = channel();
    page.leaders.set(PERSON, PAGE_INBOX);
    page.mayTake = false;
    expect(await channel().send(TEXT)).toMatchObject({ kind: "refused", code: "THREAD_HELD" });
    expect(await change({ action: "pass" })).toMatchObject({ ok: false, kind: "held" });
    expect(await change({ action: "release" })).toMatchObject({ ok: false, kind: "held" });
    expect(await change({ action: "take" })).toMatchObject({ ok: false, kind: "role" });
    expect(page.leaders.get(PERSON)).toBe(PAGE_INBOX);
  });

  test("is passed to no app that has only a name, and the network is not asked", async () => {
    expect(await change({ action: "pass", targetRole: "escalation" })).toMatchObject({ kind: "unsupported" });
    expect(channel().messenger.journal).toEqual([]);
  });
});

describe("the pace", () => {
  const waits = (count: number) => Array.from({ length: count }, () => channel().link.paceMs?.(`uid:${PERSON}`));
  const AUDIO: Content = { type: "audio", content: { mediaUrl: "https://files.example.com/a.m4a" } };

  test("lets 75 messages go at once, which are at most 150 calls, and then 75 a second", () => {
    expect(new Set(waits(75))).toEqual(new Set([0]));
    const [wait] = waits(1);
    expect(wait).toBe(14);
    channel().host.clock.advance(14);
    expect(waits(2)).toEqual([0, 13]);
    channel().host.clock.advance(1000);
    expect(waits(76).filter((one) => one === 0)).toHaveLength(75);
  });

  test("holds what follows the fifth audio or video of a second", async () => {
    for (let sent = 0; sent < 4; sent += 1) await channel().send(AUDIO);
    expect(waits(1)).toEqual([0]);
    await channel().send({
      type: "button",
      content: {
        text: "Escolha",
        header: { type: "video", mediaUrl: "https://files.example.com/a.mp4" },
        buttons: [{ id: "sim", text: "Sim" }],
      },
    });
    expect(waits(1)).toEqual([200]);
    channel().host.clock.advance(200);
    expect(waits(1)).toEqual([0]);
  });
});
