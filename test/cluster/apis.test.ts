import { expect, test } from "bun:test";

// The whole product on the database of a server: tests of the APIs that know nothing of where it lies.
const FILES = [
  "gateway/messages/send",
  "gateway/messages/sending/message-status",
  "gateway/events/delivery",
  "gateway/billing/billing-webhook",
  "platform/conversations/contacts",
];

test.each(FILES)(
  "test/apis/%s holds on the database of a server",
  async (name) => {
    const child = Bun.spawn([process.execPath, "test", "--timeout", "60000", `test/apis/${name}.test.ts`], {
      env: { ...process.env, TEST_DATABASE: "server" },
      stdout: "ignore",
      stderr: "pipe",
    });
    const said = await child.stderr.text();
    expect([await child.exited, said.split("\n").filter((line) => line.startsWith("(fail)"))]).toEqual([0, []]);
    expect(said).toMatch(/^ [1-9]\d* pass$/m);
  },
  300_000,
);
