import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ProviderMessageId } from "../../../../../src/contract/events.ts";
import { packEntries } from "../../../../../src/core/channels/moving/move-archive.ts";
import { moveIn } from "../../../../../src/core/channels/moving/move-in.ts";
import { takeHistoryFile } from "../../../../../src/core/messaging/importing/files.ts";
import { LOCAL } from "../../../../../src/core/tenancy/audit/audit.ts";
import { DAY_MS, SECOND_MS } from "../../../../../src/kernel/clock.ts";
import { reasonOf } from "../../../../../src/kernel/errors.ts";
import type { ChannelId } from "../../../../../src/kernel/ids.ts";
import { addMessageLabel } from "../../../../../src/store/tables/conversations/message-labels.ts";
import { rowsOf } from "../../../../support/customers/customer.ts";
import { fileMessage, gifOf, pdfOf, rowOf } from "../../../../support/session/evolution-files.ts";
import { acceptedIdentity, baileysFiles } from "../../../../support/session/moved.ts";
import { made } from "../../../../support/tenants/platform.ts";
import { everyRow } from "../../../../support/tenants/tenant.ts";
import { startWorld, type World } from "../../../../support/world.ts";

setDefaultTimeout(60_000);
const NO_MESSAGE = "the message is not here, or has had a file";
const STORAGE = 20_000;
const KEEP_DAYS = 7;
let w: World;
let accountId: string;
let key: string;
let phone: string;
let numbers = 0;
beforeAll(async () => {
  w = await startWorld({ env: { RECADO_GATEWAY_RATE: "1000000", RECADO_LIMITS: `stored-bytes=${STORAGE}` } });
});
afterAll(() => w.stop());
beforeEach(async () => {
  ({ id: accountId, key } = await w.account());
  phone = await pausedPhone();
});

/** A phone of a session that has moved in, and that nothing connects. */
const pausedPhone = async (): Promise<string> => {
  numbers += 1;
  const stored = { format: "baileys", entries: baileysFiles(acceptedIdentity(`5511900000${300 + numbers}`)) };
  return (await moveIn(w.app.env, LOCAL, { accountId }, { stored, isLastState: true })).channel.id;
};

const at = (): number => Math.floor(w.clock.now() / SECOND_MS) - 30 * 86_400;
const PDF = pdfOf("nota");
const GIF = gifOf("foto");
/** A document, a picture and a text. */
const messages = () => [
  fileMessage("3EB0D0C", PDF, { at: at() }),
  fileMessage("3EB0D1C", GIF, { at: at() + 1, type: "image" }),
  {
    ...fileMessage("3EB0D2C", "", { at: at() + 2 }),
    messageType: "conversation",
    message: { conversation: "sem arquivo" },
  },
];

const post = (path: string, body: object) => w.gateway(`/v1/admin/imports/history${path}`, { admin: true, body });
type More = { run?: string; source?: string; phone?: string };
const home = (more: More = {}) => ({
  accountId,
  phone,
  format: "evolution",
  source: "a-hash-of-the-source",
  run: "first",
  ...more,
});
const begin = async (more?: More): Promise<string> => made(await post("", home(more)), 200).cursor;
const packed = (rows: readonly object[]) =>
  packEntries(rows.map(rowOf).map(({ kind, text }) => ({ name: kind, text })));
const take = async (rows: readonly object[], part: object = {}, more?: More) =>
  post("/rows", { ...home(more), from: "", to: "end", withFiles: true, rows: await packed(rows), ...part });
const sent = (id: string, text: string, more: Record<string, string> = {}) => {
  const { contentType = "application/pdf", ...query } = more;
  return w.gateway(
    `/v1/admin/imports/history/files?${new URLSearchParams({ ...home(), key: id, ...query }).toString()}`,
    {
      admin: true,
      method: "POST",
      raw: text,
      headers: { "content-type": contentType },
    },
  );
};
const undo = () => post("/undo", { accountId });

const messagesHere = async (): Promise<any[]> => (await w.gateway("/v1/messages?limit=100", { key })).body.items;
const fileOf = async (mediaId: string): Promise<string> => {
  const { headers } = await w.gateway(`/v1/media/${mediaId}`, { key });
  return (await fetch(String(headers.get("location")))).text();
};
/** The names of the account's files on the disk. */
const stored = (): string[] => {
  try {
    return readdirSync(join(w.dataDir, "media", accountId));
  } catch {
    return [];
  }
};
const besidesActs = (rows: readonly string[]): string[] =>
  rows.filter((row) => !/^audit_entries|^tenant_counts .*"n":0\}$/.test(row)).toSorted();

describe("files of an imported history", () => {
  test("W26-7 are named by what the messages say of them, come with the import, and live as received files do; nothing is published", async () => {
    const hook = w.receiver();
    const webhook = { label: "all", url: hook.url, secret: "the-secret-of-a-webhook" };
    made(await w.gateway("/v1/webhooks", { key, body: webhook }), 201);
    await begin();
    const { files, ...counts } = made(await take(messages()), 200);
    expect(counts).toEqual({ messages: 3, contacts: 0, known: 0, leftOut: {} });
    const sha256 = new Bun.CryptoHasher("sha256").update(PDF).digest("hex");
    expect(files[0]).toEqual({
      key: "3EB0D0C",
      contentType: "application/pdf",
      sizeBytes: PDF.length,
      sha256,
      maxBytes: 100 * 1024 * 1024,
    });
    expect(files.map((one: any) => [one.key, one.maxBytes / 1024 / 1024])).toEqual([
      ["3EB0D0C", 100],
      ["3EB0D1C", 8],
    ]);
    expect(made(await sent("3EB0D0C", PDF, { sha256 }), 200)).toEqual({ sizeBytes: PDF.length, reason: null });
    expect(made(await sent("3EB0D1C", GIF, { contentType: "image/gif" }), 200)).toEqual({
      sizeBytes: GIF.length,
      reason: null,
    });
    const here = await messagesHere();
    const [document, image, text] = ["document", "image", "text"].map((type) => here.find((one) => one.type === type));
    expect(document.media).toMatchObject({
      contentType: "application/pdf",
      filename: "3EB0D0C.pdf",
      sizeBytes: PDF.length,
    });
    expect(image.media).toMatchObject({ contentType: "image/gif" });
    expect(text.media ?? null).toBeNull();
    expect(await fileOf(document.media.mediaId)).toBe(PDF);
    await w.settle();
    expect(hook.arrived).toEqual([]);

    await w.advance(KEEP_DAYS * DAY_MS + SECOND_MS);
    await w.settle();
    expect((await w.gateway(`/v1/media/${document.media.mediaId}`, { key })).status).toBe(410);
  });

  test("W26-7 hold the import at its place until they have come: after an interruption the same are named again, and no file comes twice", async () => {
    await begin();
    made(await take(messages()), 200);
    made(await sent("3EB0D0C", PDF), 200);
    expect(await begin({ run: "first" })).toBe("");
    const again = made(await take(messages()), 200);
    expect([again.messages, again.files.map((one: any) => one.key)]).toEqual([0, ["3EB0D1C"]]);
    const before = stored();
    expect(made(await sent("3EB0D0C", PDF), 200)).toEqual({ sizeBytes: null, reason: NO_MESSAGE });
    expect(stored()).toEqual(before);
    made(await sent("3EB0D1C", GIF), 200);
    expect(made(await take(messages()), 200).files).toEqual([]);
    expect(await begin()).toBe("end");
  });

  test("W26-7 complete messages that came without them earlier; a look says the same, and changes nothing", async () => {
    await begin();
    made(await take(messages(), { withFiles: false, isLast: true }), 200);
    const rows = await packed(messages());
    const before = await everyRow(w);
    const looked = made(await post("/inspect", { format: "evolution", rows, accountId, phone, withFiles: true }), 200);
    const unnamed = made(await post("/inspect", { format: "evolution", rows, withFiles: true }), 200);
    expect(await everyRow(w)).toEqual(before);
    expect(unnamed.files).toEqual(looked.files);
    await begin({ run: "second" });
    expect(made(await take(messages(), {}, { run: "second" }), 200).files).toEqual(looked.files);
    made(await sent("3EB0D0C", PDF, { run: "second" }), 200);
    expect((await messagesHere()).filter(({ media }) => media).map(({ type }) => type)).toEqual(["document"]);
  });

  test("W26-7 are taken back by an undo, with their bytes on the disk and the labels of their messages", async () => {
    const before = besidesActs(await everyRow(w));
    await begin();
    made(await take(messages()), 200);
    made(await sent("3EB0D0C", PDF), 200);
    made(await sent("3EB0D1C", GIF), 200);
    expect(stored()).toHaveLength(2);
    const [{ id: messageId }] = await messagesHere();
    const label = { channelId: phone as ChannelId, messageId, labelId: "1" };
    await w.app.env.db.write((tx) => addMessageLabel(tx, label));
    expect(made(await undo(), 200)).toMatchObject({ messages: 3, files: 2, isDone: true });
    await w.settle();
    expect(stored()).toEqual([]);
    expect(besidesActs(await everyRow(w))).toEqual(before);
  });
});

describe("a file of an imported history whose bytes do not come whole", () => {
  const store = () => w.app.env.files.store;
  /** As the route, whose clients see nothing of a fault of the disk. */
  const directly = (id: string, text: string) =>
    takeHistoryFile(w.app.env, { accountId, phone }, home(), {
      key: id as ProviderMessageId,
      contentType: "application/pdf",
      body: new Blob([text]).stream(),
    });

  test("W26-7 is still wanted by an import from another source, which keeps and takes it back as its own", async () => {
    await begin();
    made(await take(messages()), 200);
    made(await sent("3EB0D1C", GIF, { contentType: "image/gif" }), 200);
    const breaking = spyOn(store(), "put").mockRejectedValueOnce(new Error("the disk is away"));
    try {
      expect(await directly("3EB0D0C", PDF).then(() => "kept", reasonOf)).toContain("the disk is away");
    } finally {
      breaking.mockRestore();
    }
    const other = { source: "another-source", run: "second" };
    await begin(other);
    const rows = [...messages(), { ...messages()[2], ...fileMessage("3EB0D3C", pdfOf("nova"), { at: at() + 3 }) }];
    const { files } = made(await take(rows, {}, other), 200);
    expect(files.map((one: any) => one.key)).toEqual(["3EB0D0C", "3EB0D3C"]);
    expect(made(await sent("3EB0D0C", PDF, other), 200)).toEqual({ sizeBytes: PDF.length, reason: null });
    const [document] = (await messagesHere()).filter(({ media }) => media?.filename === "3EB0D0C.pdf");
    expect(await fileOf(document.media.mediaId)).toBe(PDF);
    expect(made(await undo(), 200)).toMatchObject({ messages: 1, files: 1, isDone: true });
    await w.settle();
    expect([(await messagesHere()).length, stored().length]).toEqual([3, 1]);
  });

  test("W26-7 is kept once if it is sent several times at once: the row, the count and the disk agree", async () => {
    await begin();
    made(await take(messages()), 200);
    const bytes = [pdfOf("nota"), pdfOf("nota com mais")];
    // each has begun before one of them has ended
    const put = store().put.bind(store());
    const both = Promise.withResolvers<void>();
    let begun = 0;
    const holding = spyOn(store(), "put").mockImplementation(async (...args) => {
      begun += 1;
      if (begun === bytes.length) both.resolve();
      await both.promise;
      return put(...args);
    });
    const sends = bytes.map(async (text) => made(await sent("3EB0D0C", text), 200));
    const answers = await Promise.all(sends).finally(() => holding.mockRestore());
    await w.settle();
    const kept = answers.filter(({ reason }) => reason === null);
    expect(kept).toHaveLength(1);
    expect(answers.filter(({ reason }) => reason === NO_MESSAGE)).toHaveLength(1);
    const [{ media }] = (await messagesHere()).filter((one) => one.media);
    const onDisk = await fileOf(media.mediaId);
    const [row] = await rowsOf<any>(w, "SELECT * FROM media WHERE tenant_id = ?", [accountId]);
    const items = await rowsOf<any>(w, "SELECT * FROM stored_items WHERE tenant_id = ?", [accountId]);
    expect([row.size_bytes, row.sha256]).toEqual([
      onDisk.length,
      new Bun.CryptoHasher("sha256").update(onDisk).digest("hex"),
    ]);
    expect(items.map(({ size_bytes }) => size_bytes)).toEqual([onDisk.length]);
    expect([kept[0].sizeBytes, stored().length]).toEqual([onDisk.length, 1]);
  });
});

describe("a file of an imported history is not kept", () => {
  test.each<[string, { id: string; text: string; reason: string } & Record<string, string>]>([
    ["is empty", { id: "3EB0D0C", text: "", reason: "the file is empty" }],
    ["is of another type", { id: "3EB0D1C", text: PDF, contentType: "image/gif", reason: "the file is no image" }],
    [
      "has other bytes",
      {
        id: "3EB0D0C",
        text: pdfOf("outra"),
        sha256: "a".repeat(64),
        reason: "the bytes are not those that were announced",
      },
    ],
    ["is of no message here", { id: "3EB0NONE", text: PDF, reason: NO_MESSAGE }],
    ["is of a text", { id: "3EB0D2C", text: "PK", reason: NO_MESSAGE }],
    [
      "is more than the account may store",
      { id: "3EB0D0C", text: pdfOf("grande", STORAGE + 1), reason: "the account may not store so much" },
    ],
  ])("W26-7 that %s, and nothing is left of it", async (_, { id, text, reason, ...more }) => {
    await begin();
    made(await take(messages()), 200);
    const before = await rowsOf(w, "SELECT * FROM media WHERE tenant_id = ?", [accountId]);
    expect(made(await sent(id, text, more), 200)).toEqual({ sizeBytes: null, reason });
    await w.settle();
    expect(await rowsOf(w, "SELECT * FROM media WHERE tenant_id = ?", [accountId])).toEqual(before);
    expect(stored()).toEqual([]);
  });

  test("W26-7 that is for another import, another phone, or an import that was not begun", async () => {
    expect((await sent("3EB0D0C", PDF)).status).toBe(400);
    await begin();
    made(await take(messages()), 200);
    const before = await everyRow(w);
    expect((await sent("3EB0D0C", PDF, { run: "another" })).status).toBe(400);
    expect((await sent("3EB0D0C", PDF, { phone: await strangersPhone() })).status).toBe(404);
    expect((await sent("3EB0D0C", PDF, { format: "telegram" })).status).toBe(400);
    expect((await w.gateway("/v1/admin/imports/history/files", { key, method: "POST", raw: PDF })).status).toBe(403);
    expect((await everyRow(w)).filter((row) => /^(media|stored_files) /.test(row))).toEqual(
      before.filter((row) => /^(media|stored_files) /.test(row)),
    );
    expect(stored()).toEqual([]);
  });
});

const strangersPhone = async (): Promise<string> => {
  const { id } = await w.account();
  numbers += 1;
  const stored = { format: "baileys", entries: baileysFiles(acceptedIdentity(`5511900000${300 + numbers}`)) };
  return (await moveIn(w.app.env, LOCAL, { accountId: id }, { stored, isLastState: true })).channel.id;
};
