// The simulator of Meta's API and this API get the same calls, and answer alike; a webhook of the simulator that goes
// through an official phone comes out as it went in.
import { describe, expect, test } from "bun:test";
import { useCloudPhone } from "../../support/apis/cloud-phones.ts";
import { FILES } from "../../support/customers/media.ts";
import type { InboundSeed } from "../../support/graph/index.ts";

const c = useCloudPhone("official");

type Side = { base: string; token: string; n: string };
const sides = (): { meta: Side; ours: Side } => ({
  meta: {
    base: c.w.graph.url,
    token: c.customer.phone.accessToken,
    n: c.customer.phone.phoneNumberId,
  },
  ours: {
    base: c.w.app.cloudUrl ?? "",
    token: c.client.token,
    n: c.client.number.numberId,
  },
});

type Call = (side: Side) => [path: string, init?: RequestInit & { token?: string | null }];
const ask = async (side: Side, call: Call): Promise<{ status: number; body: any }> => {
  const [path, { token = side.token, ...init } = {}] = call(side);
  const answer = await fetch(`${side.base}/v23.0/${path}`, {
    ...init,
    headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...(init.headers as object) },
  });
  return { status: answer.status, body: await answer.json() };
};
const posted = (path: (side: Side) => string, body: object): Call => {
  const json = { "content-type": "application/json" };
  return (side) => [path(side), { method: "POST", headers: json, body: JSON.stringify(body) }];
};
const messages = (body: object) =>
  posted(({ n }) => `${n}/messages`, { messaging_product: "whatsapp", to: "5511999990001", ...body });

/** The names of the fields, and the types of their values. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
};
const text = { type: "text", text: { body: "olá" } };

/** TABLE: calls whose answers have the same status and the same fields. */
const ALIKE: Record<string, Call> = {
  "a text": messages(text),
  "a text with callback data": messages({ ...text, biz_opaque_callback_data: "7" }),
  "a location": messages({ type: "location", location: { latitude: -23.5, longitude: -46.6 } }),
  "a card": messages({
    type: "contacts",
    contacts: [{ name: { formatted_name: "Ana", first_name: "Ana" }, phones: [{ phone: "+5511988887777" }] }],
  }),
  buttons: messages({
    type: "interactive",
    interactive: {
      type: "button",
      body: { text: "?" },
      action: { buttons: [{ type: "reply", reply: { id: "1", title: "Sim" } }] },
    },
  }),
  "an upload": ({ n }) => {
    const form = new FormData();
    form.set("messaging_product", "whatsapp");
    form.set("type", "image/png");
    form.set("file", new Blob([FILES.png], { type: "image/png" }), "a.png");
    return [`${n}/media`, { method: "POST", body: form }];
  },
};

describe("the same call", () => {
  test.each(Object.keys(ALIKE))("%s is answered alike", async (name) => {
    const call = ALIKE[name] as Call;
    const { meta, ours } = sides();
    const [theirs, own] = [await ask(meta, call), await ask(ours, call)];
    expect([own.status, shapeOf(own.body)]).toEqual([theirs.status, shapeOf(theirs.body)]);
  });

  /** TABLE: calls that are refused with the same status and code. */
  const REFUSED: Record<string, Call> = {
    "a wrong token": ({ n }) => [n, { token: "wrong" }],
    "another's number": () => ["123456789012345"],
  };
  test.each(Object.keys(REFUSED))("%s is refused alike", async (name) => {
    const call = REFUSED[name] as Call;
    const { meta, ours } = sides();
    const [theirs, own] = [await ask(meta, call), await ask(ours, call)];
    const codesOf = ({ status, body }: { status: number; body: any }) => [
      status,
      body.error?.code,
      body.error?.error_subcode,
    ];
    expect(codesOf(own)).toEqual(codesOf(theirs));
    for (const field of ["message", "type", "code", "fbtrace_id"]) expect(own.body.error).toHaveProperty(field);
  });
});

const FROM = { from: "5511999990001", name: "Ana" };
/** TABLE: what a person sends. */
const SEEDS: Record<string, (to: string) => InboundSeed> = {
  text: (to) => ({ kind: "text", to, ...FROM, text: "olá 👋" }),
  location: (to) => ({ kind: "location", to, ...FROM, latitude: -23.5, longitude: -46.6, locationName: "Sé" }),
  image: (to) => ({
    kind: "image",
    to,
    ...FROM,
    mediaId: c.w.graph.addMedia({ bytes: FILES.png, mimeType: "image/png", phoneNumberId: to }),
    mimeType: "image/png",
    caption: "a foto",
  }),
  order: (to) =>
    ({
      kind: "other",
      to,
      ...FROM,
      type: "order",
      content: {
        catalog_id: "1",
        product_items: [{ product_retailer_id: "p", quantity: 1, item_price: 2, currency: "BRL" }],
      },
    }) as never,
};

/** Names of fields that this API leaves out: what Meta says of itself, and short-lived addresses. */
const LEFT_OUT = ["url", "user_id", "from_user_id", "voice", "animated"];
const fieldsOf = (value: unknown, path = ""): string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsOf(one, `${path}[]`));
  if (typeof value !== "object" || value === null) return [`${path}: ${typeof value}`];
  return Object.entries(value)
    .filter(([name]) => !LEFT_OUT.includes(name))
    .flatMap(([name, one]) => fieldsOf(one, `${path}.${name}`));
};

describe("a webhook of Meta's", () => {
  test.each(Object.keys(SEEDS))("%s comes out with the fields with which it went in", async (name) => {
    const seed = (SEEDS[name] as (typeof SEEDS)[string])(c.customer.phone.phoneNumberId);
    const { delivery } = await c.w.graph.inbound.batch([seed]);
    await c.until();
    const went = JSON.parse(delivery.body);
    expect(fieldsOf(c.program.posts[0]?.body).toSorted()).toEqual(fieldsOf(went).toSorted());
  });
});
