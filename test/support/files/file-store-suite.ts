import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import type { FileStore } from "../../../src/contract/ports/files.ts";
import { gate } from "../databases/temp-database.ts";

/** A store that the suite sets up anew for every test. */
export type StoreUnderTest = {
  store: FileStore;
  /**
   * Resolves when the store has so many files, with unfinished ones and parts of others. A store may give parts up
   * after its answer.
   */
  holds(files: number): Promise<void>;
  close(): Promise<void>;
};

const KEY = "0198a000-1111-4222-8333-444455556666/5d41402abc4b2a76b9719d911017c592";
const PNG = { contentType: "image/png" };
const MEGABYTE = 1024 * 1024;
/** More than two parts of an upload in parts. */
const LARGE_BYTES = 12 * MEGABYTE;

const NO_KEYS = [
  "",
  "..",
  ".",
  "a/..",
  "a/../b",
  "../a",
  "/a",
  "a/",
  "a//b",
  ".a",
  "a/.b",
  "a b",
  "a\\b",
  "a\0",
  "a\n",
  "a%2fb",
  "a?b",
  "a#b",
  "a:b",
  "é",
  "a/😀",
];
const TOO_LONG_KEYS = ["x".repeat(201), `a/${"x".repeat(201)}`, "a/b/c/d/e"];

const LONGEST_NAME = "aZ09._-".padEnd(200, "x");

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString();

/** The bytes at a key. Their number must be the stated size. */
export const contentOf = async (store: FileStore, key: string): Promise<Uint8Array | undefined> => {
  const found = await store.read(key);
  if (!found) return undefined;
  const bytes = await new Response(found.body).bytes();
  expect(bytes.length).toBe(found.sizeBytes);
  return bytes;
};

/** A body of these bytes in chunks of no round size; then it throws, if a fault is given. */
export async function* bodyOf(bytes: Uint8Array | string, fault?: string): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(bytes);
  for (let at = 0; at < all.length; at += 65_521) yield all.subarray(at, at + 65_521);
  if (fault) throw new Error(fault);
}

/** Bytes without two equal stretches. */
export const largeBytes = (): Buffer => {
  const words = new Uint32Array(LARGE_BYTES / 4);
  for (let i = 0; i < words.length; i++) words[i] = Math.imul(i, 2_654_435_761);
  return Buffer.from(words.buffer);
};

/** Holds a store to the promises of `FileStore`. */
export const exerciseFileStore = (name: string, setup: () => Promise<StoreUnderTest>): void => {
  describe(`${name} keeps what FileStore promises`, () => {
    let given: StoreUnderTest;
    let store: FileStore;
    beforeEach(async () => {
      given = await setup();
      store = given.store;
    });
    afterEach(() => given.close());

    describe("what is put", () => {
      test.each([
        ["nothing", Buffer.alloc(0)],
        ["one byte", Buffer.from("x")],
        ["12 MB in many chunks", largeBytes()],
      ])("comes back as it was, with its size and hash: %s", async (_what, bytes) => {
        const stored = await store.put(KEY, bodyOf(bytes), { ...PNG, sizeBytes: bytes.length });
        expect(stored).toEqual({ sizeBytes: bytes.length, sha256: sha256(bytes) });
        const back = await contentOf(store, KEY);
        expect(back && sha256(back)).toBe(stored.sha256);
      });

      test("is kept under every name that a key may have, the longest ones too", async () => {
        const keys = [
          LONGEST_NAME,
          `long/${LONGEST_NAME}/${LONGEST_NAME}/${LONGEST_NAME}`,
          "_",
          "-/-",
          "a..b/c.",
          "A",
          "b/c",
          "b.d",
        ];
        for (const key of keys) await store.put(key, bodyOf(key), PNG);
        for (const key of keys) expect(textOf(await contentOf(store, key))).toBe(key);
      });

      test("takes the place of what was there, which stays until then", async () => {
        await store.put(KEY, bodyOf("before"), PNG);
        const during: (string | undefined)[] = [];
        async function* body() {
          for (const chunk of ["af", "ter"]) {
            during.push(textOf(await contentOf(store, KEY)));
            yield Buffer.from(chunk);
          }
        }
        await store.put(KEY, body(), PNG);
        expect(during).toEqual(["before", "before"]);
        expect(textOf(await contentOf(store, KEY))).toBe("after");
        await given.holds(1);
      });

      test("is not seen while it is under way, however much of it has come", async () => {
        const bytes = largeBytes();
        const [half, rest] = [gate(), gate()];
        async function* body() {
          yield* bodyOf(bytes.subarray(0, 8 * MEGABYTE));
          half.open();
          await rest.opened;
          yield* bodyOf(bytes.subarray(8 * MEGABYTE));
        }
        const put = store.put(KEY, body(), PNG);
        await half.opened;
        expect(await store.read(KEY)).toBeUndefined();
        rest.open();
        await put;
        expect(await contentOf(store, KEY)).toHaveLength(LARGE_BYTES);
      });

      test("may come from many at once, also to one key, where one of them wins whole", async () => {
        const texts = Array.from({ length: 20 }, (_, index) => `${index}|`.repeat(50_000));
        await Promise.all(
          texts.flatMap((text, index) => [
            store.put(`all/${index}`, bodyOf(text), PNG),
            store.put("one", bodyOf(text), PNG),
          ]),
        );
        for (const [index, text] of texts.entries()) expect(textOf(await contentOf(store, `all/${index}`))).toBe(text);
        expect(texts).toContain(textOf(await contentOf(store, "one")) ?? "");
      }, 30_000);
    });

    describe("half a file never looks whole, and leaves nothing behind", () => {
      const FAULTS: [
        what: string,
        body: () => AsyncIterable<Uint8Array>,
        sizeBytes: number | undefined,
        message: string,
      ][] = [
        ["breaks at once", () => bodyOf("", "the sender is gone"), undefined, "the sender is gone"],
        ["breaks after little", () => bodyOf("abc", "the sender is gone"), undefined, "the sender is gone"],
        ["breaks after 12 MB", () => bodyOf(largeBytes(), "the sender is gone"), undefined, "the sender is gone"],
        ["is shorter than announced", () => bodyOf("abc"), 4, "the body ended after 3 of 4 bytes"],
        ["is longer than announced", () => bodyOf("abc"), 2, "the body has more than the announced 2 bytes"],
        [
          "is 12 MB and shorter than announced",
          () => bodyOf(largeBytes()),
          LARGE_BYTES + 1,
          `the body ended after ${LARGE_BYTES} of ${LARGE_BYTES + 1} bytes`,
        ],
      ];

      test.each(FAULTS)("a body that %s", async (_what, body, sizeBytes, message) => {
        expect(store.put(KEY, body(), { ...PNG, ...(sizeBytes === undefined ? {} : { sizeBytes }) })).rejects.toThrow(
          message,
        );
        expect(await store.read(KEY)).toBeUndefined();
        await given.holds(0);
      });

      test.each(FAULTS)("a body that %s, in place of another, which stays", async (_what, body, sizeBytes) => {
        await store.put(KEY, bodyOf("before"), PNG);
        expect(store.put(KEY, body(), { ...PNG, ...(sizeBytes === undefined ? {} : { sizeBytes }) })).rejects.toThrow();
        expect(textOf(await contentOf(store, KEY))).toBe("before");
        await given.holds(1);
      });
    });

    describe("what is removed", () => {
      test("is gone, every part of it; removing it again, or what never was, succeeds", async () => {
        await store.put(KEY, bodyOf(largeBytes()), PNG);
        await store.put("small", bodyOf("abc"), PNG);
        await store.remove(KEY);
        await store.remove("small");
        expect([await store.read(KEY), await store.read("small")]).toEqual([undefined, undefined]);
        await given.holds(0);
        await store.remove(KEY);
        await store.remove("never/was");
      });

      test("between finding and reading makes the reading fail", async () => {
        await store.put(KEY, bodyOf("abc"), PNG);
        const found = await store.read(KEY);
        await store.remove(KEY);
        expect(new Response(found?.body).bytes()).rejects.toThrow();
      });

      test("while it is read does not mix it with anything else: it comes whole, or the reading fails", async () => {
        const [before, after] = [largeBytes().subarray(0, 4 * MEGABYTE), Buffer.alloc(4 * MEGABYTE, "after")];
        await store.put(KEY, bodyOf(before), PNG);
        const found = await store.read(KEY);
        const chunks: Uint8Array[] = [];
        const read = async () => {
          for await (const chunk of found?.body ?? []) {
            if (chunks.push(chunk) === 1) await store.put(KEY, bodyOf(after), PNG);
          }
        };
        await read().then(
          () => expect(sha256(Buffer.concat(chunks))).toBe(sha256(before)),
          () => expect(Buffer.concat(chunks).equals(before.subarray(0, Buffer.concat(chunks).length))).toBe(true),
        );
        expect(await contentOf(store, KEY)).toEqual(new Uint8Array(after));
      });

      test("leaves its neighbours alone", async () => {
        for (const key of ["a/b", "a/bc", "a/c"]) await store.put(key, bodyOf(key), PNG);
        await store.remove("a/b");
        expect([
          await store.read("a/b"),
          textOf(await contentOf(store, "a/bc")),
          textOf(await contentOf(store, "a/c")),
        ]).toEqual([undefined, "a/bc", "a/c"]);
      });
    });

    test("reading may be left early, and a file be read by many at once", async () => {
      const bytes = largeBytes();
      await store.put(KEY, bodyOf(bytes), PNG);
      const found = await store.read(KEY);
      for await (const chunk of found?.body ?? []) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      const all = await Promise.all(Array.from({ length: 5 }, () => contentOf(store, KEY)));
      for (const one of all) expect(one && sha256(one)).toBe(sha256(bytes));
    });

    test.each([...NO_KEYS, ...TOO_LONG_KEYS])("refuses the key %p everywhere, and nothing is written", async (key) => {
      const isDrawn: string[] = [];
      async function* body() {
        isDrawn.push(key);
        yield Buffer.from("abc");
      }
      const refusal = "is not the key of a file";
      expect(store.put(key, body(), PNG)).rejects.toThrow(refusal);
      expect(store.read(key)).rejects.toThrow(refusal);
      expect(store.remove(key)).rejects.toThrow(refusal);
      if (store.urlOf)
        expect(() => store.urlOf?.(key, { ttlSeconds: 60, filename: "a", contentType: "image/png" })).toThrow(refusal);
      expect(isDrawn).toEqual([]);
      await given.holds(0);
    });

    test("a check leaves nothing", async () => {
      await store.check();
      await given.holds(0);
    });
  });
};
