import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CONTENTS, SAMPLES } from "../../../../src/conformance/samples.ts";
import { CONTENT_TYPES } from "../../../../src/contract/content/content.ts";
import { createChannel } from "../../../../src/core/channels/channel.ts";
import { callerIn, LOCAL } from "../../../../src/core/tenancy/audit/audit.ts";
import { type Customer, newCustomer, rowsOf, tracesOf } from "../../../support/customers/customer.ts";
import { knownTemplate } from "../../../support/customers/templates.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { startWorld, untilConnected, type World } from "../../../support/world.ts";

type ChannelKind = "SESSION" | "WABA" | "SOCIAL";

/**
 * What each kind sends, of the decision GAP-G29; the adapter of SESSION declares buttons and lists too, which it sends
 * as numbered text, links on buttons, and the types that the documents do not have.
 */
const SENT: Record<ChannelKind, string[]> = {
  WABA: [...CONTENT_TYPES, "phone_number_request", "order_details", "order_status"],
  SESSION: [
    "text",
    "image",
    "video",
    "audio",
    "document",
    "sticker",
    "location",
    "contact",
    "button",
    "list",
    "cta_url",
    "copy_code",
    "carousel",
    "poll",
    "event",
    "phone_number_request",
    "phone_number_share",
  ],
  SOCIAL: ["text", "image", "video", "audio", "document"],
};
const ruleOf = (kind: ChannelKind, type: string): string => {
  if (kind === "SOCIAL") return "G-294 G-301";
  return type === "template" ? "G-295" : "G-294";
};
const KINDS = Object.keys(SENT) as ChannelKind[];
const OTHERS = KINDS.flatMap((kind) =>
  CONTENT_TYPES.filter((type) => !SENT[kind].includes(type)).map((type) => ({ kind, type, rule: ruleOf(kind, type) })),
);
const TO: Record<ChannelKind, string> = {
  WABA: "5511999990001",
  SESSION: "5511999990001",
  SOCIAL: "17841400000000001",
};

/** A phone of any kind: nobody but an OAuth flow makes a SOCIAL one, so the core does. */
const newPhone = async (w: World, accountId: string, kind: ChannelKind): Promise<string> =>
  (await createChannel(w.app.env, callerIn(accountId, LOCAL), { kind, label: "A phone", state: "PENDING" })).channel.id;

describe("what a kind of phone can never take is refused, whether or not it is connected and its adapter installed", () => {
  let w: World;
  let c: Customer;
  let phones: Record<ChannelKind, string>;
  beforeAll(async () => {
    w = await startWorld();
    c = await newCustomer(w);
    phones = {
      WABA: c.phone.id,
      SESSION: await newPhone(w, c.accountId, "SESSION"),
      SOCIAL: await newPhone(w, c.accountId, "SOCIAL"),
    };
  });
  afterAll(() => w.stop());

  /** What is said of a send; a refusal leaves nothing behind. */
  const saidOf = async (kind: ChannelKind, type: string, content: object) => {
    const before = await tracesOf(w, c);
    const answer = await c.send({ phoneId: phones[kind], to: TO[kind], type, content });
    expect(await tracesOf(w, c)).toEqual(before);
    return { said: gatewaySays(answer), details: answer.body.error?.details };
  };

  test.each(OTHERS)("$rule GAP-G29 $type to a $kind phone", async ({ kind, type }) => {
    const code = kind === "SESSION" && type === "template" ? "TEMPLATE_NOT_SUPPORTED_SESSION" : "UNSUPPORTED_TYPE";
    expect(await saidOf(kind, type, SAMPLES[type])).toEqual({ said: `400 ${code}`, details: { type } });
  });

  test.each(["image", "video", "audio", "document", "sticker"] as const)(
    "GAP-G35 G-311 G-317 G-321 %s from a handle is for WABA phones alone",
    async (type) => {
      const kinds = KINDS.filter((kind) => kind !== "WABA" && SENT[kind].includes(type));
      for (const kind of kinds) {
        const { said, details } = await saidOf(kind, type, { mediaHandle: "2754859441498128" });
        expect([kind, said, Object.keys(details.fieldErrors)]).toEqual([kind, "400 VALIDATION_ERROR", ["content"]]);
        expect(details.fieldErrors.content).toEqual([expect.stringMatching(/^mediaHandle /)]);
      }
      expect((await c.send({ type, content: { mediaHandle: "2754859441498128" } })).status).toBe(202);
      await w.settle();
    },
  );

  test.each([
    ["a text", "text", { text: `${"é".repeat(500)}x` }, "text"],
    ["the caption of an image", "image", { ...SAMPLES.image, caption: `${"é".repeat(500)}x` }, "caption"],
    ["the caption of a video", "video", { ...SAMPLES.video, caption: "x".repeat(1001) }, "caption"],
  ])("G-296 GAP-G31 %s of 1001 bytes to a SOCIAL phone is CAPTION_TOO_LARGE", async (_, type, content, field) => {
    expect(await saidOf("SOCIAL", type, content)).toEqual({
      said: "400 CAPTION_TOO_LARGE",
      details: { bytes: 1001, maxBytes: 1000, field },
    });
  });

  test("G-296 GAP-G31 1000 bytes are not too many, and over 1024 characters a caption is a VALIDATION_ERROR on every kind", async () => {
    expect((await saidOf("SOCIAL", "text", { text: "é".repeat(500) })).said).toBe("400 IG_CREDS_MISSING");
    expect((await saidOf("SOCIAL", "image", { ...SAMPLES.image, caption: "é".repeat(500) })).said).toBe(
      "400 IG_CREDS_MISSING",
    );
    for (const kind of KINDS)
      expect([kind, (await saidOf(kind, "image", { ...SAMPLES.image, caption: "x".repeat(1025) })).said]).toEqual([
        kind,
        "400 VALIDATION_ERROR",
      ]);
  });

  test("G-281 G-297 what it could take is refused because it is not connected, or because nobody has let us into the account", async () => {
    for (const [kind, said] of [
      ["SESSION", "409 PHONE_NOT_CONNECTED"],
      ["SOCIAL", "400 IG_CREDS_MISSING"],
    ] as const)
      for (const type of SENT[kind])
        expect([kind, type, (await saidOf(kind, type, SAMPLES[type as keyof typeof SAMPLES])).said]).toEqual([
          kind,
          type,
          said,
        ]);
  });
});

test("G-302 with the simulator for every network, the endpoint accepts only what each kind sends", async () => {
  const w = await startWorld({ simulated: true });
  try {
    const { id: accountId, key } = await w.account();
    for (const kind of KINDS) {
      const phoneId = await newPhone(w, accountId, kind);
      await untilConnected(w, phoneId);
      const { name, language = "pt_BR" } = SAMPLES.template as { name: string; language?: string };
      await knownTemplate(w, phoneId, { name, language });
      for (const { type, content } of CONTENTS) {
        const { status } = await w.gateway("/v1/messages", { key, body: { phoneId, to: TO[kind], type, content } });
        expect([kind, type, status]).toEqual([kind, type, SENT[kind].includes(type) ? 202 : 400]);
      }
      await w.settle();
      const sent = await rowsOf<{ type: string }>(
        w,
        "SELECT type FROM messages WHERE channel_id = ?1 AND status = 'SENT' ORDER BY rowid",
        [phoneId],
      );
      expect(sent.map(({ type }) => type).toSorted()).toEqual(SENT[kind].toSorted());
    }
  } finally {
    await w.stop();
  }
});
