import { beforeEach, expect, test } from "bun:test";
import { clientOf, EVOLUTION_ENV, type EvolutionClient, evolutionSays } from "../../support/apis/evolution.ts";
import { type Customer, rowsOf } from "../../support/customers/customer.ts";
import { newSessionCustomer, sessionNetwork } from "../../support/session/scripted-sends.ts";
import { useWorld } from "../../support/use-world.ts";
import { answerOf } from "../../support/world.ts";

const network = sessionNetwork();
const w = useWorld({ env: EVOLUTION_ENV, plugins: [network.plugin] });
const NUMBER = "5511999990001";
const PDF = new TextEncoder().encode("%PDF-1.4\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n");

let c: Customer;
let client: EvolutionClient;
beforeEach(async () => {
  c = await newSessionCustomer(w);
  client = clientOf(w, c);
  network.sent.length = 0;
});

const post = async (name: string, body: FormData | string, headers: Record<string, string> = {}) =>
  answerOf(
    await fetch(`${w.app.evolutionUrl}/message/${name}/${c.phone.id}`, {
      method: "POST",
      headers: { apikey: client.key, ...headers },
      body,
    }),
  );
type Field = string | { bytes: Uint8Array<ArrayBuffer>; name?: string; type?: string };
const form = (fields: readonly (readonly [name: string, value: Field])[]): FormData => {
  const made = new FormData();
  for (const [name, value] of fields)
    if (typeof value === "string") made.append(name, value);
    else made.append(name, new File([value.bytes], value.name ?? "", { type: value.type ?? "" }));
  return made;
};
const lastSent = () => network.sent.at(-1)?.order;
const stored = async () => [
  (await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?", [c.accountId])).length,
  (await rowsOf(w, "SELECT id FROM media WHERE tenant_id = ?", [c.accountId])).length,
];

test("a form with a file is the same call as its JSON, wherever the file stands in it", async () => {
  const file = { bytes: PDF, name: "relatório nº 1.pdf", type: "application/pdf" };
  for (const fields of [
    [
      ["number", NUMBER],
      ["mediatype", "document"],
      ["caption", "segue"],
      ["delay", "1200"],
      ["file", file],
    ],
    [
      ["file", file],
      ["number", NUMBER],
      ["mediatype", "document"],
      ["caption", "segue"],
      ["mentionsEveryOne", "false"],
    ],
  ] as (readonly [string, Field])[][]) {
    const answer = await post("sendMedia", form(fields));
    expect([answer.status, answer.body.messageType]).toEqual([201, "documentMessage"]);
    await w.settle();
    expect(lastSent()).toMatchObject({
      messageId: answer.body.key.id,
      type: "document",
      content: { mimeType: "application/pdf", filename: "relatório nº 1.pdf", caption: "segue" },
    });
  }
});

test("a form with the client's own id is sent once", async () => {
  const again = () =>
    post(
      "sendMedia",
      form([
        ["number", NUMBER],
        ["mediatype", "document"],
        ["messageId", "F1"],
        ["file", { bytes: PDF, name: "a.pdf" }],
      ]),
    );
  const [first, second] = [await again(), await again()];
  expect([first.status, second.status, second.body.key]).toEqual([201, 201, first.body.key]);
  await w.settle();
  expect(network.sent).toHaveLength(1);
});

test("what stands beside a file wins over its part, and a quote is read as JSON", async () => {
  const first = await client.on("/message/sendText", { body: { number: NUMBER, text: "oi" } });
  await w.settle();
  const answer = await post(
    "sendMedia",
    form([
      ["number", NUMBER],
      ["mediatype", "document"],
      ["fileName", "outra.pdf"],
      ["mimetype", "application/pdf"],
      ["quoted", JSON.stringify({ key: { id: first.body.key.id } })],
      ["file", { bytes: PDF, name: "blob", type: "application/octet-stream" }],
    ]),
  );
  expect([answer.status, answer.body.contextInfo]).toEqual([201, { stanzaId: first.body.key.id }]);
  await w.settle();
  expect(lastSent()).toMatchObject({ content: { filename: "outra.pdf", mimeType: "application/pdf" } });
});

test.each([
  ["sendWhatsAppAudio", "audio", { ptt: true }],
  ["sendSticker", "sticker", {}],
])("%s takes a form too", async (route, type, content) => {
  const file = { bytes: new TextEncoder().encode("OggS or RIFF"), name: "a.bin", type: "audio/ogg" };
  const answer = await post(
    route,
    form([
      ["number", NUMBER],
      ["file", file],
    ]),
  );
  expect(answer.status).toBe(201);
  await w.settle();
  expect(lastSent()).toMatchObject({ type, content: { mediaHandle: expect.any(String), ...content } });
});

const FILE: Field = { bytes: PDF, name: "a.pdf", type: "application/pdf" };
const DOCUMENT = [
  ["number", NUMBER],
  ["mediatype", "document"],
  ["file", FILE],
] as const;
test.each<[string, string, FormData | string, Record<string, string>, string]>([
  [
    "no file",
    "sendMedia",
    form([
      ["number", NUMBER],
      ["mediatype", "document"],
    ]),
    {},
    "400 media is required",
  ],
  [
    "an empty file",
    "sendMedia",
    form([...DOCUMENT.slice(0, 2), ["file", { bytes: new Uint8Array(), name: "a.pdf" }]]),
    {},
    "400 media must be base64",
  ],
  ["no recipient", "sendMedia", form(DOCUMENT.slice(1)), {}, "400 number is required"],
  ["a quote that is no JSON", "sendMedia", form([...DOCUMENT, ["quoted", "{"]]), {}, "400 quoted must be an object"],
  [
    "a form for a text",
    "sendText",
    form([
      ["number", NUMBER],
      ["text", "oi"],
    ]),
    {},
    "400 The body must be JSON, sent as Content-Type: application/json.",
  ],
  [
    "a form that breaks off",
    "sendMedia",
    "--x\r\ncontent-dispo",
    { "content-type": "multipart/form-data; boundary=x" },
    "400 The body is not a form.",
  ],
  [
    "a form without a boundary",
    "sendMedia",
    "--x--",
    { "content-type": "multipart/form-data" },
    "400 The body is not a form.",
  ],
  [
    "too many parts",
    "sendMedia",
    form([...DOCUMENT, ...Array.from({ length: 50 }, (_, at) => [`f${at}`, "x"] as const)]),
    {},
    "400 The form has more than 50 parts.",
  ],
])("%s is refused, and nothing is stored", async (...[, route, body, headers, said]) => {
  expect(evolutionSays(await post(route, body, headers))).toBe(said);
  expect(await stored()).toEqual([0, 0]);
});

test("a form of a stranger is refused before it is read", async () => {
  const answer = await fetch(`${w.app.evolutionUrl}/message/sendMedia/${c.phone.id}`, {
    method: "POST",
    body: form(DOCUMENT),
  });
  expect([answer.status, await stored()]).toEqual([401, [0, 0]]);
});

test("a field of the form that would set a prototype is left out", async () => {
  const answer = await post("sendMedia", form([...DOCUMENT, ["__proto__", '{"caption":"x"}']]));
  expect(answer.status).toBe(201);
  await w.settle();
  expect(lastSent()?.content).not.toHaveProperty("caption");
});
