// Every event of this server, as the programs that are not on npm would read it.
import { describe, expect, test } from "bun:test";
import { normalizeWebhook } from "@kapso/whatsapp-cloud-api/server";
import { rendered } from "../../../../src/apis/cloud/render/index.ts";
import { adapted } from "../../../../src/apis/cloud/render/profiles.ts";
import { INBOUND_CONTENT, type InboundContent } from "../../../../src/contract/content/inbound-content.ts";
import type { DomainEvent, PublishedEvent } from "../../../../src/core/domain-event.ts";
import { SAMPLES, samplesOf } from "../../../../src/core/events/definitions/index.ts";
import { PUBLISHED } from "../../../../src/core/events/definitions/samples.ts";
import type { EventContext } from "../../../../src/core/messaging/receiving/event-context.ts";
import { chatwootFaults, pywaFaults, typebotFaults } from "../../../support/apis/cloud-schemas.ts";

const CONTEXT: EventContext = {
  number: { numberId: "106540352242922", accountId: "102290129340398", displayNumber: null },
  phoneNumber: "5511900000001",
  quotedType: null,
  sha256: "00".repeat(32),
  sent: null,
  isTheirs: true,
};

/** TABLE: a content of every type that a network can report. */
const CONTENTS: { [Type in InboundContent["type"]]: Extract<InboundContent, { type: Type }>["content"] } = {
  text: { text: "olá 👋" },
  image: { mimeType: "image/jpeg", caption: "a foto" },
  video: { mimeType: "video/mp4" },
  audio: { mimeType: "audio/ogg", voice: true },
  document: { mimeType: "application/pdf", filename: "a.pdf" },
  sticker: { mimeType: "image/webp", animated: true },
  location: { latitude: -23.55, longitude: -46.63, name: "Sé" },
  contact: { contacts: [{ name: "Ana Souza", phones: ["+5511999999999"] }, { name: { formatted_name: "Bia" } }] },
  button_reply: { selectedId: "1", text: "Sim" },
  flow_reply: { name: "flow", response: { a: 1 } },
  order: { catalogId: "1", items: [{ productId: "p", quantity: 1, price: 2, currency: "BRL" }] },
  call_permission_reply: { response: "accept", isPermanent: false, expiresAt: "2026-11-22T12:00:00.000Z" },
  poll: { question: "?", options: ["a"], maxSelections: 1 },
  event: { name: "Entrega", startsAt: "2026-12-05T18:00:00.000Z" },
  phone_number_request: {},
  phone_number_share: { phoneNumber: "5511999999999" },
  payment_method: { referenceId: "1", credentialId: null, lastFourDigits: null },
  request_welcome: {},
  unsupported: { originalType: "poll" },
};

const published = (domainEvent: DomainEvent): PublishedEvent => ({ ...PUBLISHED, createdAt: 0, domainEvent });
const [, image] = samplesOf("message.received");
if (!image) throw new Error("there is no sample with a file");
const ofContents: [string, DomainEvent][] = Object.entries(CONTENTS).map(([type, content]) => [
  `message with ${type}`,
  { ...image, content: { type, content } as InboundContent },
]);
const lost: [string, DomainEvent] = ["message without its file", { ...image, media: null }];
const bodies = [...SAMPLES.map((event) => [event.type, event] as const), ...ofContents, lost].flatMap(
  ([name, event]) => {
    const body = rendered(published(event), CONTEXT)?.body;
    return body === undefined ? [] : [[name, body] as const];
  },
);
const inbox = { number: "5511900000001", phoneNumberId: CONTEXT.number.numberId };

test("the table has every type", () => {
  expect(Object.keys(CONTENTS).toSorted()).toEqual(Object.keys(INBOUND_CONTENT).toSorted());
  expect(bodies.length).toBeGreaterThan(25);
});

describe.each(bodies)("%s", (_, body) => {
  const as = (profile: string | null): any => JSON.parse(adapted(body, profile));

  test("is ASCII, with one entry and one change", () => {
    expect(body).toMatch(/^[ -~]*$/);
    const parsed = as(null);
    expect([parsed.entry.length, parsed.entry[0].changes.length]).toEqual([1, 1]);
  });

  test("Typebot takes it under its profile", () => expect(typebotFaults(as("typebot"))).toEqual([]));

  test("Chatwoot takes it under its profile", () => {
    const parsed = as("chatwoot");
    if (parsed.entry[0].changes[0].value.metadata === undefined) return;
    expect(chatwootFaults(inbox)(parsed)).toEqual([]);
  });

  test("pywa takes it", () => expect(pywaFaults(as(null))).toEqual([]));

  test("Kapso's SDK reads it", () => {
    const parsed = as(null);
    const { value, field } = parsed.entry[0].changes[0];
    const { messages, statuses } = normalizeWebhook(parsed);
    if (field === "messages") expect(messages.length + statuses.length).toBe(1);
    for (const { id, timestamp } of [...messages, ...statuses] as any[]) {
      expect(id).toMatch(/^wamid\./);
      expect(timestamp).toMatch(/^\d+$/);
    }
    expect(value).toBeDefined();
  });

  test("adapting is repeatable", () => {
    expect(adapted(body, "typebot")).toBe(adapted(body, "typebot"));
    expect(adapted(body, null)).toBe(body);
  });
});

test("the checks find what breaks the programs", () => {
  const order = bodies.find(([name]) => name === "message with order")?.[1] ?? "";
  expect(typebotFaults(JSON.parse(order))).not.toEqual([]);
  expect(chatwootFaults(inbox)(JSON.parse(order))).not.toEqual([]);
  expect(chatwootFaults({ ...inbox, number: "551190000001" })(JSON.parse(order))).not.toEqual([]);
});
