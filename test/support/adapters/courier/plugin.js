// An adapter for networks that call webhooks in other ways than JSON with a signed body. The credential `way` names
// one: a signed URL with sorted form parameters, a token in the query, HTTP basic authentication, or a signed time.
// Every function that may give a promise does.
import { createHmac, timingSafeEqual } from "node:crypto";

const FIVE_MINUTES_MS = 300_000;
const word = (text) => ({ en: text, pt: text, es: text });

export default {
  contract: "2.0",
  name: "courier",
  version: "1.0.0",
  hosts: [],
  create: ({ Type }) => ({
    name: "courier",
    kind: "COURIER",
    label: word("courier"),
    network: { holdsConnection: false, isPaired: false, recipients: "phone-numbers", receipts: "each" },
    capabilities: { send: { text: {} }, operations: {}, choosesMessageIds: false, templates: false },
    credentials: Type.Object({
      way: Type.String({ label: word("way") }),
      secret: Type.String({ label: word("secret"), isSecret: true }),
    }),
    address: async (to) =>
      /^(?:pn:)?\d{8,15}$/.test(to)
        ? { ok: true, to: `pn:${to.replace("pn:", "")}` }
        : { ok: false, code: "RECIPIENT_INVALID" },
    webhook: {
      keeps: ["X-Courier-Event", "part"],
      takesGet: true,
      isSigned: ({ headers, query }) =>
        query.has("token") || ["authorization", "x-courier-signature"].some((name) => headers.has(name)),
      verify: async (request, { way, secret }) => ways[way](request, secret),
      handshake: async ({ query }, { secret }) =>
        equal(query.get("token"), secret)
          ? { contentType: "text/plain", body: query.get("challenge") ?? "" }
          : undefined,
      parse: async (request) => [eventOf(await fieldsOf(request), request)],
      answer: async ({ headers }) =>
        isForm(headers) ? { status: 201, contentType: "text/xml", body: "<Response/>" } : undefined,
    },
    open: (host) => openLink(host),
  }),
};

const openLink = (host) => {
  let freeAt; // a send waits for a minute, and then takes the turn
  return {
    connect: () => host.report({ state: "CONNECTED", profile: { name: "courier" } }),
    close: async () => {},
    forget: async () => {},
    async paceMs() {
      freeAt ??= host.clock.now() + 60_000;
      const waitMs = Math.max(0, freeAt - host.clock.now());
      if (waitMs === 0) freeAt = undefined;
      return waitMs;
    },
    send: async ({ messageId }) => ({ ok: true, key: messageId }),
  };
};

const equal = (one, other) => {
  const [a, b] = [one ?? "", other].map((text) => createHmac("sha256", "equal").update(text).digest());
  return timingSafeEqual(a, b);
};

const isForm = (headers) => headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") === true;

/** TABLE: how a network shows that it is the one. */
const ways = {
  form({ url, headers, rawBody }, secret) {
    const fields = [...new URLSearchParams(text(rawBody))].sort(([a], [b]) => (a < b ? -1 : 1));
    const signed = url + fields.map(([name, value]) => name + value).join("");
    return equal(headers.get("x-courier-signature"), createHmac("sha1", secret).update(signed).digest("base64"));
  },
  query: ({ query }, secret) => equal(query.get("token"), secret),
  parameter: ({ query }, secret) => equal(query.get("key"), secret),
  basic: ({ headers }, secret) =>
    equal(headers.get("authorization"), `Basic ${Buffer.from(`hook:${secret}`).toString("base64")}`),
  timed({ headers, rawBody, receivedAt }, secret) {
    const [time, signature] = (headers.get("x-courier-signature") ?? "").split(".");
    if (Math.abs(receivedAt - Number(time)) > FIVE_MINUTES_MS) return false;
    return equal(signature, createHmac("sha256", secret).update(`${time}.`).update(rawBody).digest("hex"));
  },
  silent: () => new Promise(() => {}),
};

const text = (bytes) => new TextDecoder().decode(bytes);

/** The id, the sender and the text of a message, in each form of body. */
const fieldsOf = async ({ headers, query, rawBody }) => {
  const type = headers.get("content-type") ?? "";
  const body = text(rawBody).replaceAll("\0", "[NUL]"); // no text of a message has one
  if (body === "") return { id: query.get("part"), from: "5511999990001", text: "all is in the query" };
  if (type.startsWith("application/json")) return JSON.parse(body);
  if (/form/.test(type))
    return Object.fromEntries(await new Response(rawBody, { headers: { "content-type": type } }).formData());
  if (/xml/.test(type))
    return Object.fromEntries([...body.matchAll(/<(\w+)>([^<]*)</g)].map(([, name, value]) => [name, value]));
  const [id, from, ...words] = body.split(" ");
  return { id, from, text: words.join(" ") };
};

const eventOf = ({ id, from, text: said, file }, { method, url, query, headers, rawBody }) => ({
  kind: "received",
  key: String(id),
  at: 0,
  from: { pn: from },
  chat: { pn: from },
  pushName: null,
  content: {
    type: "text",
    content: {
      text: [
        said,
        method,
        new URL(url).search,
        query.get("part"),
        [...headers.keys()].join(),
        file ? Buffer.from(rawBody).indexOf(Buffer.from([0, 255, 254])) > 0 : undefined,
      ]
        .filter((one) => one !== undefined && one !== null && one !== "")
        .join(" "),
    },
  },
});
