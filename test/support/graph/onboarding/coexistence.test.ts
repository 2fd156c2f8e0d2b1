import { describe, expect, test } from "bun:test";
import {
  ACCOUNT_ID,
  type Answered,
  type Bench,
  entriesOf,
  errorOf,
  graphBench,
  type Hook,
  listOf,
  NUMBER_ID,
  USER,
  valuesOf,
} from "../fixture.ts";
import { type Fields, fieldsOf } from "../shape.ts";
import type { HistoryMessage } from "./seeds.ts";

const bench = graphBench();
const OTHER = "5511900000000";
const BUSINESS = "551140000000";
const DAY_MS = 86_400_000;
const codeOf = (answer: Answered) => errorOf(answer)["code"];
const seed = {
  phoneNumberId: NUMBER_ID,
  businessAccountId: ACCOUNT_ID,
  displayPhoneNumber: "+55 11 4000-0000",
  isOnBizApp: true,
};
const sync = ({ call }: Bench, type: string) =>
  call("POST", `/v25.0/${NUMBER_ID}/smb_app_data`, { messaging_product: "whatsapp", sync_type: type });
const fieldOf = (hook: Hook | undefined) => listOf(entriesOf(hook)[0]?.["changes"])[0]?.["field"];
const refusal = (work: Promise<unknown>) => work.then(() => "done", String);

/** A coexistent number, all its data asked for, and its webhooks. */
const asked = async () => {
  const all = bench();
  all.graph.addNumber(seed);
  const hooks = all.receive();
  for (const type of ["smb_app_state_sync", "history"]) await sync(all, type);
  return { ...all, hooks };
};

describe("asking for the data of the business app", () => {
  test("gives a request id, once for each kind (2593107), and nothing comes by itself", async () => {
    const all = bench();
    all.graph.addNumber(seed);
    const hooks = all.receive();
    const first = await sync(all, "smb_app_state_sync");
    expect(first.body).toEqual({ messaging_product: "whatsapp", request_id: expect.stringMatching(/^\d{16}$/) });
    expect((await sync(all, "history")).status).toBe(200);
    expect([codeOf(await sync(all, "history")), codeOf(await sync(all, "smb_app_state_sync"))]).toEqual([
      2593107, 2593107,
    ]);
    await all.graph.webhooks.settled();
    expect(hooks.length).toBe(0);
  });

  test("is for the day after onboarding (2593108), for a number of the app (10), and for two kinds (100)", async () => {
    const all = bench();
    all.graph.addNumber({ ...seed, isOnBizApp: false });
    expect(codeOf(await sync(all, "history"))).toBe(10);
    all.graph.addNumber({ ...seed, platformType: "NOT_APPLICABLE" });
    expect(codeOf(await sync(all, "history"))).toBe(10);
    all.graph.addNumber(seed);
    expect(codeOf(await sync(all, "everything"))).toBe(100);
    expect(codeOf(await all.call("POST", `/${NUMBER_ID}/smb_app_data`, { sync_type: "history" }))).toBe(100);
    all.clock.advance(DAY_MS - 1);
    expect((await sync(all, "history")).status).toBe(200);
    all.clock.advance(1);
    expect(codeOf(await sync(all, "smb_app_state_sync"))).toBe(2593108);
    all.graph.addNumber({ ...seed, onboardedAt: all.clock.now() - DAY_MS });
    expect(codeOf(await sync(all, "history"))).toBe(2593108);
    all.graph.addNumber(seed);
    expect((await sync(all, "history")).status).toBe(200);
  });

  test("what nobody asked for is not sent, and a number without the app has none of it", async () => {
    const { graph } = bench();
    graph.addNumber(seed);
    const contacts = [{ waId: USER }];
    expect(await refusal(graph.coexistence.contacts({ phoneNumberId: NUMBER_ID, contacts }))).toContain("nobody asked");
    expect(await refusal(graph.coexistence.history({ phoneNumberId: NUMBER_ID, messages: [] }))).toContain(
      "nobody asked",
    );
    expect(await refusal(graph.coexistence.declineHistory(NUMBER_ID))).toContain("nobody asked");
    graph.addNumber({ ...seed, isOnBizApp: false });
    expect(
      await refusal(
        graph.coexistence.echo({ phoneNumberId: NUMBER_ID, to: USER, content: { kind: "text", text: "oi" } }),
      ),
    ).toContain("no number of the business app");
    expect(graph.webhooks.journal.length).toBe(0);
  });
});

describe("contacts", () => {
  test("come in webhooks of so many, with names when added and without when removed", async () => {
    const { graph, hooks, clock } = await asked();
    const contacts = [
      { waId: USER, fullName: "Pablo Morales" },
      { waId: OTHER, action: "remove" as const, at: 1_738_346_006_000 },
      { waId: "5511900000001" },
    ];
    await graph.coexistence.contacts({ phoneNumberId: NUMBER_ID, contacts, perWebhook: 2 });
    expect(hooks.map((hook) => [fieldOf(hook), listOf(valuesOf(hook)[0]?.["state_sync"]).length])).toEqual([
      ["smb_app_state_sync", 2],
      ["smb_app_state_sync", 1],
    ]);
    expect(valuesOf(hooks[0])).toEqual([
      {
        messaging_product: "whatsapp",
        metadata: { display_phone_number: BUSINESS, phone_number_id: NUMBER_ID },
        state_sync: [
          {
            type: "contact",
            contact: { full_name: "Pablo Morales", first_name: "Pablo", phone_number: USER },
            action: "add",
            metadata: { timestamp: String(Math.floor(clock.now() / 1000)) },
          },
          {
            type: "contact",
            contact: { phone_number: OTHER },
            action: "remove",
            metadata: { timestamp: "1738346006" },
          },
        ],
      },
    ]);
  });
});

describe("the history", () => {
  /** Messages of all ages: two of today, three of this quarter, one older, one too old to be shared. */
  const messages = (onboardedAt: number): HistoryMessage[] => [
    { waId: USER, at: onboardedAt - 1000, content: { kind: "text", text: "today" } },
    {
      waId: OTHER,
      at: onboardedAt - 2000,
      isFromBusiness: true,
      status: "DELIVERED",
      content: { kind: "media", type: "image", mediaId: "9", caption: "c" },
    },
    { waId: USER, at: onboardedAt - 10 * DAY_MS, wamid: "wamid.old", content: { kind: "media", type: "video" } },
    { waId: USER, at: onboardedAt - 30 * DAY_MS, content: { kind: "media", type: "audio" } },
    {
      waId: USER,
      at: onboardedAt - 80 * DAY_MS,
      content: { kind: "other", type: "location", content: { latitude: 1, longitude: 2 } },
    },
    { waId: USER, at: onboardedAt - 170 * DAY_MS, content: { kind: "text", text: "long ago" } },
    { waId: USER, at: onboardedAt - 181 * DAY_MS, content: { kind: "text", text: "forgotten" } },
  ];
  const chunksOf = (hooks: Hook[]) =>
    hooks.flatMap((hook) => valuesOf(hook).flatMap((value) => listOf(value["history"])));
  const placesOf = (hooks: Hook[]) => chunksOf(hooks).map((chunk) => Object.values(fieldsOf(chunk["metadata"])));

  test("comes by phase, in chunks, with progress up to 100; nothing older than 180 days", async () => {
    const { graph, hooks, clock } = await asked();
    const { wamids, deliveries } = await graph.coexistence.history({
      phoneNumberId: NUMBER_ID,
      messages: messages(clock.now()),
      chunkSize: 2,
    });
    expect(hooks.map(fieldOf)).toEqual(["history", "history", "history", "history"]);
    expect(placesOf(hooks)).toEqual([
      [0, 1, 33],
      [1, 1, 66],
      [1, 2, 83],
      [2, 1, 100],
    ]);
    expect([deliveries.length, new Set(wamids).size, wamids[2]]).toEqual([4, 6, "wamid.old"]);
    expect(hooks.map((hook) => hook.raw).join()).not.toContain("forgotten");
  });

  test("has threads by user, who wrote what, its status, and placeholders for media", async () => {
    const { graph, hooks, clock } = await asked();
    await graph.coexistence.history({ phoneNumberId: NUMBER_ID, messages: messages(clock.now()) });
    const timestamp = String(Math.floor(clock.now() / 1000) - 1);
    expect(listOf(chunksOf(hooks)[0]?.["threads"])).toEqual([
      {
        id: USER,
        messages: [
          {
            from: USER,
            id: expect.stringMatching(/^wamid\./),
            timestamp,
            type: "text",
            text: { body: "today" },
            history_context: { status: "READ" },
          },
        ],
      },
      {
        id: OTHER,
        messages: [
          {
            from: BUSINESS,
            to: OTHER,
            id: expect.stringMatching(/^wamid\./),
            timestamp: String(Number(timestamp) - 1),
            type: "media_placeholder",
            history_context: { status: "DELIVERED" },
          },
        ],
      },
    ]);
  });

  test("may come with its last chunk first", async () => {
    const { graph, hooks, clock } = await asked();
    await graph.coexistence.history({ phoneNumberId: NUMBER_ID, messages: messages(clock.now()), isReversed: true });
    expect(placesOf(hooks).map(([phase]) => phase)).toEqual([2, 1, 0]);
  });

  test("brings the media of the last 14 days later, once, each under the id of its placeholder", async () => {
    const { graph, hooks, clock } = await asked();
    const { wamids } = await graph.coexistence.history({ phoneNumberId: NUMBER_ID, messages: messages(clock.now()) });
    hooks.length = 0;
    await graph.coexistence.historyMedia(NUMBER_ID);
    const received = hooks.map(
      (hook) => [fieldOf(hook), valuesOf(hook).flatMap((value) => listOf(value["messages"]))[0]] as const,
    );
    expect(received).toMatchObject([
      [
        "history",
        {
          id: wamids[1],
          from: BUSINESS,
          to: OTHER,
          type: "image",
          image: { id: "9", caption: "c", mime_type: "image/jpeg" },
        },
      ],
      ["history", { id: "wamid.old", from: USER, type: "video", video: { mime_type: "video/mp4" } }],
    ]);
    expect([...graph.media.values()].map(({ id, mimeType }) => [id, mimeType])).toEqual([
      [String(fieldsOf(received[1]?.[1]?.["video"])["id"]), "video/mp4"],
    ]);
    expect(await graph.coexistence.historyMedia(NUMBER_ID)).toEqual([]);
  });

  test("may be declined (2593109)", async () => {
    const { graph, hooks } = await asked();
    await graph.coexistence.declineHistory(NUMBER_ID);
    expect(fieldOf(hooks[0])).toBe("history");
    expect(chunksOf(hooks)).toMatchObject([
      { errors: [{ code: 2593109, error_data: { details: "History sharing is turned off by the business" } }] },
    ]);
  });
});

describe("an echo of the business app", () => {
  const echoesOf = (hooks: Hook[]): Fields[] =>
    hooks.flatMap((hook) => valuesOf(hook).flatMap((value) => listOf(value["message_echoes"])));

  test("is a message written there, its correction and its revocation", async () => {
    const { graph, receive } = bench();
    graph.addNumber(seed);
    const hooks = receive();
    const echo = (content: Parameters<typeof graph.coexistence.echo>[0]["content"]) =>
      graph.coexistence.echo({ phoneNumberId: NUMBER_ID, to: USER, content });
    const { wamid } = await echo({ kind: "text", text: "typed" });
    await echo({ kind: "media", type: "document", filename: "a.pdf" });
    await echo({ kind: "edit", wamid, text: "typed better" });
    await echo({ kind: "revoke", wamid });
    expect(hooks.map(fieldOf)).toEqual(Array<string>(4).fill("smb_message_echoes"));
    expect(echoesOf(hooks)).toMatchObject([
      { from: BUSINESS, to: USER, id: wamid, type: "text", text: { body: "typed" } },
      { type: "document", document: { filename: "a.pdf", mime_type: "application/pdf" } },
      { type: "edit", edit: { original_message_id: wamid, message: { type: "text", text: { body: "typed better" } } } },
      { type: "revoke", revoke: { original_message_id: wamid } },
    ]);
  });

  test("names the user by BSUID alone where the number is hidden, and opens no window", async () => {
    const { graph, send, receive } = bench();
    graph.addNumber(seed);
    const hooks = receive();
    graph.configure({ contactMode: "bsuid", window: "sync" });
    graph.addRecipient({ waId: USER, userId: "BR.123" });
    await graph.coexistence.echo({ phoneNumberId: NUMBER_ID, to: USER, content: { kind: "text", text: "oi" } });
    expect(echoesOf(hooks)).toMatchObject([{ to_user_id: "BR.123" }]);
    expect(echoesOf(hooks)[0]).not.toHaveProperty("to");
    expect(codeOf(await send())).toBe(131047);
  });
});

describe("over HTTP", () => {
  test("all of it can be ordered", async () => {
    const { graph, hooks, clock } = await asked();
    const order = (name: string, args: Fields) =>
      fetch(`${graph.url}/_sim/coexistence/${name}`, {
        method: "POST",
        body: JSON.stringify({ phoneNumberId: NUMBER_ID, ...args }),
      });
    const media = { waId: USER, at: clock.now(), content: { kind: "media", type: "image" } };
    const orders: [name: string, args: Fields][] = [
      ["contacts", { contacts: [{ waId: USER }] }],
      ["history", { messages: [media] }],
      ["history/media", {}],
      ["history/decline", {}],
      ["echo", { to: USER, content: { kind: "revoke", wamid: "wamid.x" } }],
    ];
    for (const [name, args] of orders) expect((await order(name, args)).status).toBe(200);
    expect(hooks.map(fieldOf)).toEqual(["smb_app_state_sync", "history", "history", "history", "smb_message_echoes"]);
    expect((await order("echo", { to: USER, content: { kind: "poll" } })).status).toBe(400);
  });
});
