import { afterEach, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesOfPage } from "../../src/commands/moving/history/files.ts";
import type { FoundHistory } from "../../src/commands/moving/history/found.ts";
import { openMediaPlace } from "../../src/commands/moving/history/media.ts";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterEach(removeFolders);

const MAX = 10;
const wanted = (key: string) => ({ key, contentType: "image/jpeg", sizeBytes: null, sha256: null, maxBytes: MAX });
const history = (format: string, name = "default") => ({ format, name }) as FoundHistory;
const written = (folder: string, name: string, text: string): void => {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
};

test("W26-7 files of WAHA are found by the session's folder and the message's id, and only those of a fitting size are passed on", async () => {
  const folder = newFolder();
  written(folder, "default/3EB0A.jpeg", "four");
  written(folder, "default/3EB0B.oga", "more than ten bytes");
  written(folder, "second/3EB0D.bin", "of another session");
  const media = await openMediaPlace(folder, undefined);
  const passed: string[] = [];
  const take = filesOfPage(history("waha"), {
    media,
    take: async ({ key }, { sizeBytes, body }) => {
      for await (const piece of body()) passed.push(`${key} ${Buffer.from(piece).toString()}`);
      return { sizeBytes, reason: null };
    },
  });
  const counts = await take([wanted("3EB0A"), wanted("3EB0B"), wanted("3EB0C")], new Map());
  expect(counts).toEqual({
    count: 1,
    bytes: 4,
    without: { "the file is too large": 1, "its file is not where --media says": 1 },
  });
  expect(passed).toEqual(["3EB0A four"]);
});

test("W26-7 files of Evolution are found by their names in its bucket's copy; no name and no link leads out of the folder", async () => {
  const folder = newFolder();
  const outside = newFolder();
  written(outside, "secret", "no");
  const name = "7c1f/5511922220001@s.whatsapp.net/image/1_a.jpg";
  written(folder, `evolution-api/${name}`, "one");
  written(folder, "7c1f/b.jpg", "two");
  symlinkSync(join(outside, "secret"), join(folder, "link"));
  symlinkSync(outside, join(folder, "linked"));
  const media = await openMediaPlace(folder, undefined);
  const rows = new Map(
    [name, "7c1f/b.jpg", "link", "linked/secret", `../${outside.split("/").at(-1)}/secret`, "7c1f", "a\0b"].map(
      (one, index) => [String(index), { key: String(index), name: one }],
    ),
  );
  const counts = await filesOfPage(history("evolution"), { media })([...rows.keys()].map(wanted), rows);
  expect(counts).toEqual({ count: 2, bytes: 6, without: { "its file is not where --media says": 5 } });
});

test("W26-7 no name leads out of the prefix of a bucket: the service is not asked for it", async () => {
  const asked: string[] = [];
  using service = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      asked.push(new URL(url).pathname);
      return new Response("one", { headers: { etag: '"1"' } });
    },
  });
  const keyFile = join(newFolder(), "key");
  writeFileSync(keyFile, "access\nsecret\n");
  const media = await openMediaPlace(`s3://bucket/prefix?endpoint=http://127.0.0.1:${service.port}`, keyFile);
  const names = ["../secret", "../../other/secret", "a/./b", "a//b", "", "a\0b"];
  const rows = new Map(names.map((name, index) => [String(index), { key: String(index), name: `../${name}` }]));
  const counts = await filesOfPage(history("evolution"), { media })([...rows.keys()].map(wanted), rows);
  expect(counts).toEqual({ count: 0, bytes: 0, without: { "its file is not where --media says": names.length } });
  for (const name of names) expect(await media.open(name)).toBeUndefined();
  expect(asked).toEqual([]);
  expect((await media.open("a/b"))?.sizeBytes).toBe(3);
  expect(asked).toEqual(["/bucket/prefix/a/b"]);
});

test("W26-7 without --media a message keeps no file, but one that lies in the source itself", async () => {
  const inside = { sizeBytes: 3, body: async function* () {} };
  const rows = new Map([["a", { key: "a", inside }]]);
  const counts = await filesOfPage(history("evolution"), { media: undefined })([wanted("a"), wanted("b")], rows);
  expect(counts).toEqual({ count: 1, bytes: 3, without: { "its file stays there: --media says where it lies": 1 } });
});

test("W26-7 a place of files that is none is refused with what to do", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "key"), "only-the-access-key\n");
  const fault = async (where: string, keyFile?: string): Promise<string> => {
    try {
      await openMediaPlace(where, keyFile);
      return "opened";
    } catch (thrown) {
      return thrown instanceof Error ? thrown.message : "";
    }
  };
  expect(await fault(join(folder, "nothing"))).toContain("does not exist");
  expect(await fault(join(folder, "key"))).toContain("is no folder");
  expect(await fault("s3://")).toContain("s3://bucket/prefix");
  expect(await fault("s3://bucket")).toContain("--media-key-file");
  const short = await fault("s3://bucket", join(folder, "key"));
  expect(short).toContain("two lines");
  expect(short).not.toContain("only-the-access-key");
});
