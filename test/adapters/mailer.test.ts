import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { createMailer } from "../../src/adapters/mailer.ts";
import { type MailSink, startMailSink } from "../support/servers/smtp.ts";

let sink: MailSink;
beforeAll(async () => {
  sink = await startMailSink();
});
afterAll(() => sink.stop());
beforeEach(() => {
  sink.received.length = 0;
  sink.refusal = undefined;
});

const MAIL = {
  id: "0199-a",
  to: "contas@padaria.example",
  subject: "Fatura em atraso: ação",
  text: "Olá, Padaria São João,\n\nR$ 129,90\nhttps://pay.example/i/1?a=b\n",
};
const mailer = (smtpUrl = sink.url, from = "Recado <cobranca@recado.example>") =>
  createMailer({ smtpUrl, from }) ?? expect.unreachable();

test("GAP-X06 a mail arrives as it was written, under an id of its own, over a login", async () => {
  expect(await mailer().send(MAIL)).toEqual({ ok: true });
  expect(sink.received).toEqual([
    {
      from: "cobranca@recado.example",
      to: [MAIL.to],
      id: "<0199-a@recado.example>",
      subject: MAIL.subject,
      text: expect.stringContaining("Padaria São João"),
    },
  ]);
  expect(sink.received[0]?.text.replaceAll("\r\n", "\n").trimEnd()).toBe(MAIL.text.trimEnd());
});

test.each([
  ["RCPT", 550, true],
  ["RCPT", 450, false],
  ["DATA", 554, true],
  ["DATA", 451, false],
] as const)("GAP-X06 refused at %s with %d: final is %p", async (at, code, isFinal) => {
  sink.refusal = { at, code };
  expect(await mailer().send(MAIL)).toEqual({ ok: false, isFinal, reason: expect.stringContaining(String(code)) });
  expect(sink.received).toEqual([]);
});

test("GAP-X06 a wrong password, and nobody there, are the operator's to mend: the mail may be tried again", async () => {
  const wrong = sink.url.replace(/:[^:@]+@/, ":wrong@");
  expect(await mailer(wrong).send(MAIL)).toMatchObject({ ok: false, isFinal: false });
  expect(await mailer("smtp://127.0.0.1:1").send(MAIL)).toMatchObject({ ok: false, isFinal: false });
  expect(sink.received).toEqual([]);
});

test.each(["a<victim@example.com>", "a:victim@example.com;", "a,victim@example.com", "(a)victim@example.com"])(
  "%s is one address, and none that it only holds",
  async (to) => {
    await mailer().send({ ...MAIL, to });
    expect(sink.received.flatMap((mail) => mail.to)).not.toContain("victim@example.com");
  },
);

test("GAP-X06 without a mail server there is no mailer", () => {
  expect(createMailer(undefined)).toBeUndefined();
});
