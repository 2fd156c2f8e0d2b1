import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { emailKeyOf, formerEmailKeyOf, isEmail } from "../../../src/kernel/texts/emails.ts";
import { type MailedWorld, startMailedWorld } from "../../support/billing/mailed.ts";
import { browserAt } from "../../support/customers/console.ts";
import { customer, made } from "../../support/tenants/platform.ts";

/** Spellings of which no server knows more than one mailbox, and what is no address. */
const REFUSED = [
  "<victim@corp.example",
  "victim@corp.example>",
  '"victim"@corp.example',
  "victim@corp.example\u200b",
  "vic\u00adtim@corp.example",
  "victim\u202e@corp.example",
  "vic\u0000tim@corp.example",
  "victim@corp.example\n",
  "victim@corp..example",
  "victim@corp.example.",
  "victim@.example",
  "victim@",
  "@corp.example",
  "a@b@corp.example",
  "victim,other@corp.example",
  "victim@[127.0.0.1]",
  "＜victim@corp.example",
  "vic tim@corp.example",
];
const SAME: [string, string][] = [
  ["victim@corp.example", "VICTIM@Corp.Example"],
  ["victim@corp.example", "victim@ｃorp.example"],
  ["victim@corp.example", "ｖictim＠corp。example"],
  ["kate@corp.example", "\u212aate@corp.example"],
  ["joao@bücher.example", "joao@xn--bcher-kva.example"],
  ["joao@bücher.example", "joao@bu\u0308cher.example"],
  ["josé@corp.example", "jose\u0301@corp.example"],
];
const APART: [string, string][] = [
  ["victim@corp.example", "victim+shop@corp.example"],
  ["victim@corp.example", "vic.tim@corp.example"],
  ["user@123", "user@0.0.0.123"],
];
const GOOD = ["victim@corp.example", "o'brien@corp.example", "joão@correio.example", "a+b@localhost", "a@10.0.0.1"];

test("what is no address, or has what nobody sees, is refused", () => {
  expect(REFUSED.filter(isEmail)).toEqual([]);
  expect(GOOD.filter((one) => !isEmail(one))).toEqual([]);
});

test.each(SAME)("%s and %s are one mailbox", (one, other) => {
  expect([isEmail(other), emailKeyOf(other)]).toEqual([true, emailKeyOf(one)]);
});

test.each(APART)("%s and %s are two", (one, other) => expect(emailKeyOf(one)).not.toBe(emailKeyOf(other)));

describe("every place that takes an e-mail", () => {
  let m: MailedWorld;
  beforeAll(async () => {
    m = await startMailedWorld({ RECADO_REGISTRATION: "open", RECADO_ADDRESS_RATE: "10000" });
  });
  afterAll(() => m.stop());

  const register = (email: string) =>
    m.platform("/v1/auth/register", {
      body: { name: "A User", email, password: "password-1", institutionName: "A Company" },
    });

  test("refuses what is none, and nothing happens", async () => {
    const owner = await m.verified();
    const { key } = await customer(m);
    const account = await m.account();
    const browser = browserAt(m);
    await browser.post("/sign-in", { email: owner.email, password: "password-1" });
    const admin = (path: string, body: object, method = "POST") => m.gateway(path, { admin: true, body, method });
    const doors: [string, (email: string) => Promise<{ status: number }>][] = [
      ["registration", register],
      [
        "an invitation",
        (email) => m.platform(`/v1/institutions/${owner.id}/members`, { token: owner.token, body: { email } }),
      ],
      ["the operator's new user", (email) => admin("/v1/admin/users", { name: "A", email, institutionName: "B" })],
      ["a new operator", (email) => admin("/v1/admin/operators", { name: "Otto", email })],
      [
        "the owner of an institution",
        (ownerEmail) => admin(`/v1/admin/accounts/${account.id}/institution`, { plan: "FREE", ownerEmail }),
      ],
      ["an account's bills", (billingEmail) => admin(`/v1/admin/accounts/${account.id}`, { billingEmail }, "PATCH")],
      ["the own profile", (email) => browser.ask("PATCH", "/profile", { email })],
      [
        "a contact of the platform",
        (email) => m.platform("/v1/contacts", { key, body: { name: "A", phone: "5511999990001", email } }),
      ],
      [
        "a contact of the gateway",
        (email) => m.gateway("/v1/contacts", { key: account.key, body: { name: "A", phone: "5511999990001", email } }),
      ],
    ];
    const rows = () =>
      Promise.all(
        ["users", "operators", "invitations", "contacts", "mails"].map((table) =>
          m.app.env.db.read((reader) => reader.rows(`SELECT count(*) AS n FROM ${table}`)),
        ),
      );
    await m.settle();
    const before = await rows();
    for (const [door, give] of doors)
      for (const email of ["<victim@corp.example", "victim@corp.example\u200b", '"x"@corp.example'])
        expect([door, email, (await give(email)).status]).toEqual([door, email, 400]);
    expect(await rows()).toEqual(before);
  });

  test("knows a mailbox that is there under each of its spellings", async () => {
    made(await register("maria@bücher.example"), 201);
    for (const email of ["MARIA@xn--bcher-kva.example", "maria@ｂücher.example", "maria＠bu\u0308cher.example"]) {
      expect((await register(email)).status).toBe(400);
      made(await m.platform("/v1/auth/login", { body: { email, password: "password-1" } }), 200);
    }
    await m.settle();
    const mailed = m.sink.received.filter(({ to }) => to.some((one) => one.startsWith("maria@")));
    expect(mailed).toHaveLength(1);
  });

  test("lets rows of earlier versions sign in, and takes no second user for their mailbox", async () => {
    for (const former of ["ana@bücher.example", "bia@ｃorp.example", "<caio@corp.example"]) {
      const { userId } = await m.institution();
      await m.app.env.db.write(async (tx) =>
        tx.run("UPDATE users SET email = ?2, email_key = ?3 WHERE id = ?1", [userId, former, formerEmailKeyOf(former)]),
      );
      made(await m.platform("/v1/auth/login", { body: { email: former, password: "password-1" } }), 200);
      expect((await browserAt(m).post("/sign-in", { email: former, password: "password-1" })).status).toBe(200);
      made(await m.platform("/v1/auth/forgot-password", { body: { email: former } }), 202);
    }
    for (const email of ["ana@bücher.example", "ANA@xn--bcher-kva.example"])
      expect((await register(email)).status).toBe(400);
  });
});
