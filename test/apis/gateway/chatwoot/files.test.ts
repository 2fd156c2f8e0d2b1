import { afterEach, beforeEach, expect, test } from "bun:test";
import { ACCOUNT, ADMIN_TOKEN, type SimulatedChatwoot, startChatwoot } from "../../../support/chatwoot/server.ts";
import { type Customer, newCustomer, rowsOf, TO } from "../../../support/customers/customer.ts";
import { arrives, FILES } from "../../../support/customers/media.ts";
import { useWorld } from "../../../support/use-world.ts";

// files of an official phone, whose messages wait for them

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });

let c: Customer;
let chatwoot: SimulatedChatwoot;
beforeEach(async () => {
  chatwoot = startChatwoot();
  c = await newCustomer(w);
});
afterEach(async () => {
  await chatwoot.called();
  await chatwoot.stop();
});

const connected = async (more: object = {}) => {
  const body = { url: chatwoot.url, chatwootAccountId: ACCOUNT, token: ADMIN_TOKEN, ...more };
  const answer = await w.gateway(`/v1/phones/${c.phone.id}/chatwoot`, { key: c.key, method: "PUT", body });
  expect(answer.status).toBe(200);
};
const settled = async () => {
  for (let round = 0; round < 3; round++) {
    await w.settle();
    await chatwoot.called();
  }
};
const files = () => chatwoot.messages.flatMap((message) => message.files);

test("a file that comes in goes to Chatwoot as it is, with its text", async () => {
  await connected();
  await arrives(w, c, { bytes: FILES.png, mimeType: "image/png", caption: "a nota" });
  await settled();
  expect(chatwoot.said()).toEqual(["< a nota"]);
  expect(files()).toMatchObject([{ type: "image/png" }]);
  expect(Buffer.from(files()[0]?.bytes ?? [])).toEqual(Buffer.from(FILES.png));
});

test("a file that a client sent by its handle goes to Chatwoot too", async () => {
  await connected();
  const kept = await w.gateway("/v1/media/files/base64", {
    key: c.key,
    body: { base64: Buffer.from(FILES.pdf).toString("base64"), mimeType: "application/pdf", filename: "lista.pdf" },
  });
  const { mediaHandle } = kept.body;
  await c.sent({ to: TO, type: "document", content: { mediaHandle, caption: "a lista", filename: "lista.pdf" } });
  await settled();
  expect(chatwoot.said()).toEqual(["> a lista"]);
  expect(files().map(({ type, name }) => [type, name])).toEqual([["application/pdf", "lista.pdf"]]);
});

test("the files of earlier messages are imported with them", async () => {
  await arrives(w, c, { bytes: FILES.png, mimeType: "image/png", caption: "de ontem" });
  await settled();
  await connected({ importDays: 7 });
  await settled();
  expect(chatwoot.said()).toEqual(["< de ontem"]);
  expect(files()).toHaveLength(1);
});

test("the file of an agent is kept here, and given to the network", async () => {
  await connected();
  await arrives(w, c, { bytes: FILES.png, mimeType: "image/png", caption: "oi" });
  await settled();
  const conversationId = chatwoot.conversations[0]?.id ?? 0;
  const file = { name: "foto.png", type: "image/png", bytes: FILES.png };
  const written = chatwoot.agentWrites({ conversationId, content: "veja", files: [{ type: "image", file }] });
  await settled();
  expect(written.status).not.toBe("failed");
  const rows = await rowsOf<{ content: string }>(w, "SELECT type, content, status FROM messages WHERE tenant_id = ?", [
    c.accountId,
  ]);
  expect(rows).toMatchObject([{ type: "image", status: "SENT" }]);
  expect(JSON.parse(rows[0]?.content ?? "")).toMatchObject({ caption: "veja", mediaHandle: expect.any(String) });
  expect(chatwoot.messages).toHaveLength(2);
});
