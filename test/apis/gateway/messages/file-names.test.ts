import { beforeAll, describe, expect, test } from "bun:test";
import { cleanFilename, isBareFilename } from "../../../../src/kernel/texts/file-names.ts";
import { type Customer, newCustomer, receivedBy, TO } from "../../../support/customers/customer.ts";
import { arrives } from "../../../support/customers/media.ts";
import { connectedChannel, customer } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();
let c: Customer;
beforeAll(async () => {
  c = await newCustomer(w);
});

const BAD = [
  "../../etc/passwd",
  "a/b.pdf",
  "..\\a.pdf",
  "C:\\a.pdf",
  "/a.pdf",
  "a\u0000.pdf",
  "a\r\nb.pdf",
  "a\u202efdp.exe",
  "\u2066a.pdf",
  ".",
  "..",
  "...",
  " .. ",
  "\u007f",
  `${"a".repeat(256)}`,
];
const GOOD = ["Relatório de março (1).pdf", ".env", "a..b", "報告.pdf", "a".repeat(255), " a.pdf "];
const URL = "https://files.example.com/a.pdf";

describe("the name of a file that is sent", () => {
  test.each(BAD)("%j is refused on both APIs, by the field's name, and nothing is sent", async (filename) => {
    const before = w.graph.journal.length;
    const answer = await w.gateway("/v1/messages", {
      key: c.key,
      body: { phoneId: c.phone.id, to: TO, type: "document", content: { mediaUrl: URL, filename } },
    });
    expect([
      answer.status,
      Object.keys(answer.body.error.details.fieldErrors),
      answer.body.error.details.fieldErrors.content[0],
    ]).toEqual([400, ["content"], expect.stringMatching(/^filename /)]);
    const who = await customer(w);
    const channel = await connectedChannel(w, who);
    const calls = w.graph.journal.length;
    const refused = await w.platform(`/v1/channels/${channel.id}/messages/document`, {
      key: who.key,
      body: { to: TO, mediaUrl: URL, filename },
    });
    expect([refused.status, refused.body.errors.map((one: { path: string }) => one.path)]).toEqual([400, ["filename"]]);
    await w.settle();
    expect([w.graph.journal.length - calls, calls >= before]).toEqual([0, true]);
  });

  test.each(GOOD)("%j is taken", async (filename) => {
    const answer = await w.gateway("/v1/messages", {
      key: c.key,
      body: { phoneId: c.phone.id, to: TO, type: "document", content: { mediaUrl: URL, filename } },
    });
    expect(answer.status).toBe(202);
  });

  test("the header of a link takes no other either", async () => {
    const header = { type: "document", mediaUrl: URL, filename: "../a.pdf" };
    const content = { text: "Look", buttonText: "Open", url: "https://example.com", header };
    const answer = await w.gateway("/v1/messages", {
      key: c.key,
      body: { phoneId: c.phone.id, to: TO, type: "cta_url", content },
    });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("filename")]);
  });
});

test("the name of a file that came in is cleaned, never refused: without folders, without what hides its end", async () => {
  const received = async (filename: string) => {
    const before = c.hook.arrived.length;
    await arrives(w, c, { kind: "document", filename });
    await w.settle();
    expect(c.hook.arrived.length).toBeGreaterThan(before);
    return receivedBy(c.hook, "message:received").at(-1)?.content.filename;
  };
  expect(await received("../../etc/passwd")).toBe("passwd");
  expect(await received("C:\\x\\in\u202efdp.exe")).toBe("infdp.exe");
  expect(await received("..")).toBeUndefined();
});

test("what is bare is what cleaning leaves alone", () => {
  for (const name of GOOD) expect([isBareFilename(name), cleanFilename(name)]).toEqual([true, name.trim()]);
  for (const name of BAD) expect(isBareFilename(name)).toBe(false);
});
