import { expect, test } from "bun:test";
import { TOKEN, telegramChannel } from "../../support/networks/telegram-channel.ts";

const channel = telegramChannel();
const open = (id: string) => {
  const { media } = channel().link;
  if (!media) throw new Error("the link has no files");
  return media.open(id);
};
const BYTES = new Uint8Array(300_000).fill(9);

test("a file is read while it comes, from the address that the network names", async () => {
  channel().telegram.addFile("AgACx", BYTES, "photos/file_1.jpg");
  const opened = await open("AgACx");
  if (!opened.ok) throw new Error("no file");
  expect(opened.value.sizeBytes).toBe(BYTES.length);
  let size = 0;
  for await (const chunk of opened.value.body) size += chunk.length;
  expect(size).toBe(BYTES.length);
});

test("a file of more than 20 MB cannot be had, and one that the network forgot neither", async () => {
  channel().telegram.addFile("BAADx", new Uint8Array(1), "videos/file_2.mp4", 20 * 1024 * 1024 + 1);
  expect(await open("BAADx")).toMatchObject({
    ok: false,
    kind: "refused",
    error: { message: "(#400) Bad Request: file is too big" },
    fileFault: "too-large",
  });
  expect(await open("gone")).toMatchObject({ ok: false, kind: "refused", fileFault: "gone" });
});

test("a network that is away may have it later", async () => {
  channel().telegram.addFile("AgACx", BYTES, "photos/file_1.jpg");
  channel().telegram.failNext(/^file$/, { kind: "cut", isTaken: false });
  expect(await open("AgACx")).toMatchObject({ ok: false, kind: "unavailable" });
  channel().telegram.failNext(/^getFile$/, { kind: "garble", status: 502 });
  expect(await open("AgACx")).toMatchObject({ ok: false, kind: "unavailable" });
});

test("a path that leads elsewhere is not followed", async () => {
  for (const path of ["../bot/x", "/var/lib/telegram/x", "a/../../bot/x", "a/./x", "a\\..\\x", "a\nb", ".."]) {
    channel().telegram.addFile("evil", BYTES, path);
    expect(await open("evil")).toMatchObject({ ok: false, kind: "refused" });
  }
});

test("a path whose end somebody chose is fetched as it is", async () => {
  for (const path of [
    "documents/a b.pdf",
    "documents/x?y#z",
    "documents/olá 100%.pdf",
    "documents/..a",
    "documents/a..b",
  ]) {
    channel().telegram.addFile("odd", BYTES, path);
    const opened = await open("odd");
    expect([path, opened.ok]).toEqual([path, true]);
    if (opened.ok) for await (const _ of opened.value.body);
  }
});

test("a revoked token, and none at all, are named", async () => {
  channel().bot.isRevoked = true;
  const refused = await open("AgACx");
  expect(refused).toMatchObject({ ok: false, kind: "token" });
  expect(JSON.stringify(refused)).not.toContain(TOKEN);
  expect(await channel().open({}).link.media?.open("AgACx")).toMatchObject({ ok: false, kind: "credentials" });
});
