import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { readReleased, sampleOf } from "../../scripts/payloads.ts";
import { JOBS, type JobPayloads } from "../../src/core/jobs.ts";
import { versioned } from "../../src/kernel/versioned.ts";

const [A, B] = ["0198a000-1111-4222-8333-444455556666", "0198a000-2222-4222-8333-444455556666"];

const released = await readReleased();

describe("what jobs carry", () => {
  test.each(Object.keys(JOBS) as (keyof JobPayloads)[])(
    "%s: every released version is read, and the newest has a text in test/released (npm run payloads)",
    (name) => {
      const { payload } = JOBS[name];
      const texts = released[name] ?? [];
      expect(texts).toHaveLength(payload.version);
      for (const [at, text] of texts.entries()) expect(payload.decode(JSON.stringify(text), at + 1).ok).toBe(true);
    },
  );

  test("no kind of job is gone whose payloads lie in databases", () => {
    expect(Object.keys(released).filter((name) => !(name in JOBS))).toEqual([]);
  });

  test("npm run payloads can make a text of every payload", () => {
    for (const [name, { payload }] of Object.entries(JOBS)) expect(sampleOf(name, payload)).toBeObject();
    const strict = versioned(Type.Object({ code: Type.String({ pattern: "^[0-9]+$" }) }));
    expect(() => sampleOf("strict.job", strict)).toThrow("no text of strict.job can be made");
  });

  test.each<string>(["react", "edit", "delete", "read", "typing"])(
    "an operation that is a %s keeps what it is",
    (name) => {
      const more: Record<string, object> = { react: { emoji: "👍" }, edit: { text: "new" } };
      const action = { name, ...more[name] };
      const text = JSON.stringify({ messageId: A, channelId: B, chat: "pn:1", action });
      expect(JOBS["message.operate"].payload.decode(text, 1)).toMatchObject({ ok: true, value: { action } });
    },
  );

  test("an operation that nobody knows is refused", () => {
    const text = JSON.stringify({ messageId: A, channelId: B, chat: "pn:1", action: { name: "explode" } });
    expect(JOBS["message.operate"].payload.decode(text, 1)).toMatchObject({ ok: false, why: { is: "damaged" } });
  });
});
