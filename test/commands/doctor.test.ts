import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { doctorCommand } from "../../src/commands/doctor.ts";

/** A mail server that refuses everybody, and repeats what they said. */
const server = new SMTPServer({
  disabledCommands: ["STARTTLS"],
  onAuth: ({ password }, _session, done) => done(new Error(`the password ${password} is wrong`)),
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise<void>((resolve) => server.close(resolve)));

test("a secret that another repeats is taken out of what is printed", async () => {
  const { port } = server.server.address() as AddressInfo;
  const out: string[] = [];
  const env = {
    RECADO_SMTP_URL: `smtp://user:a-pass%26word@127.0.0.1:${port}`,
    RECADO_MAIL_FROM: "a@example.com",
    RECADO_DATA_DIR: "/nowhere",
  };
  const code = await doctorCommand.run({
    args: ["--only", "mail"],
    env,
    out: (line) => out.push(line),
    err: () => undefined,
    isTerminal: false,
    unread: new AbortController().signal,
  });
  expect([code, out[0]]).toEqual([1, expect.stringContaining("the password … is wrong")]);
  expect(out.join("\n")).not.toMatch(/a-pass(&|%26)word/);
});
