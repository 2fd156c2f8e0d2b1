import { describe, expect, test } from "bun:test";
import { SAMPLES } from "../../../../src/conformance/samples.ts";
import { CONTENT_TYPES } from "../../../../src/contract/content/content.ts";
import { contentGateway, type Refused, type Taken, x } from "../../../support/customers/content-gateway.ts";
import { rowsOf, sendsOf } from "../../../support/customers/customer.ts";

const gateway = contentGateway();

const contacts = (count: number, more: object = {}) => ({
  contacts: Array.from({ length: count }, () => ({ name: "Ana", phone: "5511999990001", ...more })),
});
const at = (more: object) => ({ ...SAMPLES.location, ...more });

describe("every type", () => {
  test.each([...CONTENT_TYPES])("G-272 %s is accepted at the one endpoint and reaches the network", async (type) => {
    const body = await gateway.upstreamBody(type, SAMPLES[type]);
    expect(body[body.type]).toBeDefined();
  });

  test("GAP-C12 a key that its schema does not know is ignored: neither stored nor sent", async () => {
    const [w, c] = [gateway.world(), gateway.customer()];
    const id = await c.sent({
      type: "audio",
      content: { ...SAMPLES.audio, caption: "not for audio", filename: "a.ogg" },
    });
    expect((await c.message(id)).status).toBe("SENT");
    expect(sendsOf(w, c).at(-1).audio).toEqual({ link: SAMPLES.audio.mediaUrl });
    expect(await rowsOf(w, "SELECT content FROM messages WHERE id = ?1", [id])).toEqual([
      { content: JSON.stringify(SAMPLES.audio) },
    ]);
  });
});

describe("text, location and contacts are taken, to the last character", () => {
  const TAKEN: Taken[] = [
    ["G-310 a text of 1 character", "text", { text: "x" }],
    ["G-310 a text of 4096 characters", "text", { text: x(4096) }],
    ["G-310 GAP-C13 a text of 4096 emoji, which are characters", "text", { text: "😀".repeat(4096) }],
    ["G-323 G-324 the south pole at the date line", "location", { latitude: -90, longitude: -180 }],
    ["G-323 G-324 the north pole at the date line", "location", { latitude: 90, longitude: 180 }],
    ["G-323 G-324 the middle of the map", "location", { latitude: 0, longitude: 0 }],
    ["G-325 a place's name of 120 characters", "location", at({ name: x(120) })],
    ["G-326 an address of 255 characters", "location", at({ address: x(255) })],
    ["G-327 1 contact, G-330 without an email", "contact", contacts(1)],
    ["G-327 10 contacts", "contact", contacts(10)],
    ["G-328 a name of 1 character", "contact", contacts(1, { name: "x" })],
    ["G-328 a name of 120 characters", "contact", contacts(1, { name: x(120) })],
    ["G-329 a phone of 5 characters", "contact", contacts(1, { phone: "12345" })],
    ["G-329 a phone of 30 characters", "contact", contacts(1, { phone: "1".repeat(30) })],
    ["G-330 an email", "contact", contacts(1, { email: "ana@example.com" })],
  ];
  gateway.takes(TAKEN);
});

describe("text, location and contacts are refused, and nothing happens", () => {
  const REFUSED: Refused[] = [
    ["G-310 an empty text", "text", { text: "" }, "text"],
    ["G-310 a text of 4097 characters", "text", { text: x(4097) }, "text"],
    ["G-310 GAP-C13 a text of 4097 emoji", "text", { text: "😀".repeat(4097) }, "text"],
    ["G-310 no text", "text", {}, "text"],
    ["G-310 a text that is a number", "text", { text: 5 }, "text"],
    ["G-323 no latitude", "location", { longitude: 0 }, "latitude"],
    ["G-323 a latitude of -91", "location", at({ latitude: -91 }), "latitude"],
    ["G-323 a latitude of 91", "location", at({ latitude: 91 }), "latitude"],
    ["G-323 a latitude just beyond the pole", "location", at({ latitude: 90.000001 }), "latitude"],
    ["G-323 a latitude that is text", "location", at({ latitude: "5" }), "latitude"],
    ["G-324 no longitude", "location", { latitude: 0 }, "longitude"],
    ["G-324 a longitude of -181", "location", at({ longitude: -181 }), "longitude"],
    ["G-324 a longitude of 181", "location", at({ longitude: 181 }), "longitude"],
    ["G-325 a place's name of 121 characters", "location", at({ name: x(121) }), "name"],
    ["G-326 an address of 256 characters", "location", at({ address: x(256) }), "address"],
    ["G-327 no contacts", "contact", {}, "contacts"],
    ["G-327 an empty list of contacts", "contact", contacts(0), "contacts"],
    ["G-327 11 contacts", "contact", contacts(11), "contacts"],
    ["G-327 a contact that is text", "contact", { contacts: ["Ana"] }, "contacts.0"],
    ["G-328 no name", "contact", { contacts: [{ phone: "12345" }] }, "contacts.0.name"],
    ["G-328 an empty name", "contact", contacts(1, { name: "" }), "contacts.0.name"],
    [
      "G-328 a name of 121 characters, the second contact's",
      "contact",
      { contacts: [...contacts(1).contacts, ...contacts(1, { name: x(121) }).contacts] },
      "contacts.1.name",
    ],
    ["G-329 no phone", "contact", { contacts: [{ name: "Ana" }] }, "contacts.0.phone"],
    ["G-329 a phone of 4 characters", "contact", contacts(1, { phone: "1234" }), "contacts.0.phone"],
    ["G-329 a phone of 31 characters", "contact", contacts(1, { phone: "1".repeat(31) }), "contacts.0.phone"],
    ["G-330 an email that is a number", "contact", contacts(1, { email: 1 }), "contacts.0.email"],
  ];
  gateway.refuses(REFUSED);
});
