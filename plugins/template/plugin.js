// @ts-check
// A small adapter for an imaginary network. `recado plugin new` writes a copy, in which the words between @ are
// replaced by yours. The guide walks through it: plugins/README.md in the sources of Recado.
//
// The network has an HTTP API. Each request carries the channel's token.
//   GET  /me        → 200 { name }                     who the token belongs to
//   PUT  /webhook   ← { url, secret }                  where the network sends what happens
//   POST /messages  ← { to, text, reference } → { id } sends a text
// It calls the channel's webhook with the header x-@NAME@-secret and a body { events: [...] }, one entry for each
// message (`message`) and each change of a message of ours (`status`).

// An editor checks this file with the package of types beside it: see README.md. It runs without that package.
/** @import { AdapterModule, ChannelEvent, ChannelHost, ChannelLink, ChannelPlugin, ChannelWebhook, HttpResult, InboundContent, ProviderMessageId, SendOutcome } from "@recado/adapter" */

const RETRY_MS = 30_000;

/** @type {AdapterModule} */
export default {
  contract: "2.0",
  name: "@NAME@",
  version: "1.0.0",
  hosts: [], // the hosts of the settings may be asked anyway
  settings: [
    {
      name: "API_URL",
      fallback: "https://api.example.invalid",
      pattern: "https?://.+",
      form: "an http or https URL",
      meaning: "where the API of the network is",
    },
  ],
  create: ({ Type, settings }) => ({
    name: "@NAME@",
    kind: "@KIND@",
    label: { en: "@NAME@ channel", pt: "Canal @NAME@", es: "Canal @NAME@" },
    network: { holdsConnection: false, isPaired: false, recipients: "ids", receipts: "each" },
    capabilities: {
      send: { text: { textMaxBytes: 4000 } },
      operations: {},
      choosesMessageIds: false,
      templates: false,
    },
    credentials: Type.Object({
      token: Type.String({
        pattern: "^[!-~]{8,200}$",
        description: "must be 8 to 200 characters without spaces",
        label: { en: "Access token", pt: "Token de acesso", es: "Token de acceso" },
        help: {
          en: "In the network's panel, under API keys",
          pt: "No painel da rede, em chaves de API",
          es: "En el panel de la red, en claves de API",
        },
        isSecret: true,
      }),
      webhookSecret: Type.String({
        pattern: "^[!-~]{8,200}$",
        description: "must be 8 to 200 characters without spaces",
        label: { en: "Webhook secret", pt: "Segredo do webhook", es: "Secreto del webhook" },
        isSecret: true,
      }),
    }),
    open: (host) => openLink(host, settings.API_URL ?? ""),
    webhook: { isSigned, verify, parse },
    address,
    probes: [{ name: "@NAME@-api", url: settings.API_URL ?? "" }],
  }),
};

/**
 * The canonical key of a person. It begins with the name of an `Identity` field.
 * @type {ChannelPlugin["address"]}
 */
const address = (to) => {
  const [, id] = /^(?:uid:)?([a-z0-9]{3,40})$/.exec(to) ?? [];
  return id === undefined ? { ok: false, code: "RECIPIENT_INVALID" } : { ok: true, to: `uid:${id}` };
};

/**
 * One request to the network, with the channel's token. Throws where the vault cannot be read.
 * @param {ChannelHost} host
 * @param {string} apiUrl
 * @returns {(method: "GET" | "PUT" | "POST", path: string, body?: object) => Promise<HttpResult>}
 */
const requestsOf = (host, apiUrl) => async (method, path, body) => {
  const { token } = await host.vault.read();
  return host.http.trusted({
    url: apiUrl + path,
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
};

/**
 * @param {ChannelHost} host
 * @param {string} apiUrl
 * @returns {ChannelLink}
 */
const openLink = (host, apiUrl) => {
  let generation = 0; // calls of an older generation report nothing
  let cancelRetry = () => {};

  const ask = requestsOf(host, apiUrl);

  /** @param {number} mine */
  const connect = async (mine) => {
    const isOver = () => mine !== generation;
    host.report({ state: "CONNECTING" });
    const { webhookSecret: secret } = await host.vault.read();
    const subscribed = await ask("PUT", "/webhook", { url: host.webhookUrl, secret });
    const me = subscribed.ok && subscribed.status === 200 ? await ask("GET", "/me") : subscribed;
    if (isOver()) return;
    if (me.ok && me.status === 200)
      return host.report({ state: "CONNECTED", profile: { name: String(json(me.body).name) } });
    if (me.ok && me.status === 401) return host.report({ state: "TOKEN_EXPIRED", reason: "TOKEN_REFUSED" });
    // the retry is in memory alone: a restart opens channels in CONNECTING, and none in DISCONNECTED
    host.report({ state: "CONNECTING", reason: "NETWORK_UNREACHABLE" });
    cancelRetry = host.clock.timer(RETRY_MS, () => begin());
  };

  const begin = () => {
    cancelRetry();
    const mine = ++generation;
    connect(mine).catch(() => {
      if (mine === generation) host.report({ state: "FAILED", reason: "NO_CREDENTIALS" });
    });
  };

  return {
    connect: begin,
    async close() {
      generation += 1;
      cancelRetry();
    },
    async forget() {
      // the network has nothing to forget
    },
    async send({ type, content, to, messageId }) {
      if (type !== "text") return refused(`there is no ${type} on this network`);
      try {
        const person = to.slice("uid:".length);
        return outcomeOf(await ask("POST", "/messages", { to: person, text: content.text, reference: messageId }));
      } catch {
        return { ok: false, kind: "retry", code: "CHANNEL_UNAVAILABLE", reason: "the credentials cannot be read" };
      }
    },
  };
};

/** @type {(reason: string) => SendOutcome} */
const refused = (reason) => ({ ok: false, kind: "refused", code: "UPSTREAM_BAD_REQUEST", reason });

/**
 * TABLE: every answer of the network to a send. Decide by its answer, and by whether it may have taken the message.
 * @type {(answer: HttpResult) => SendOutcome}
 */
const outcomeOf = (answer) => {
  if (!answer.ok) {
    return answer.mayHaveArrived
      ? { ok: false, kind: "unknown", code: "OUTCOME_UNKNOWN", reason: "no answer came" }
      : { ok: false, kind: "retry", code: "UPSTREAM_UNAVAILABLE", reason: "the network cannot be reached" };
  }
  const { id, error } = json(answer.body);
  if (answer.status === 200 && typeof id === "string" && id !== "")
    return { ok: true, key: /** @type {ProviderMessageId} */ (id) };
  if (answer.status === 200)
    return { ok: false, kind: "refused", code: "UPSTREAM_NO_ID", reason: "the network gave no id" };
  if (answer.status === 401)
    return { ok: false, kind: "retry", code: "CREDENTIALS_REFUSED", reason: "the token is refused" };
  if (answer.status === 429) {
    const reason = "the network asks to slow down";
    return { ok: false, kind: "retry", code: "UPSTREAM_RATE_LIMIT", reason, isRateLimit: true, retryAfterMs: 10_000 };
  }
  if (answer.status >= 500)
    return { ok: false, kind: "unknown", code: "OUTCOME_UNKNOWN", reason: `HTTP ${answer.status}` };
  return refused(typeof error === "string" ? error.slice(0, 200) : `HTTP ${answer.status}`);
};

/**
 * Foreign JSON: a missing value, or one of another type, reads as nothing.
 * @type {(body: string | Uint8Array) => Record<string, unknown>}
 */
const json = (body) => {
  try {
    const value = JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body));
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
};

const HEADER = "x-@NAME@-secret";

/** @type {ChannelWebhook["isSigned"]} */
const isSigned = ({ headers }) => headers.has(HEADER);

/** @type {ChannelWebhook["verify"]} */
const verify = ({ headers }, { webhookSecret }) => equal(headers.get(HEADER) ?? "", webhookSecret ?? "");

/**
 * Takes the same time wherever two texts of one length differ.
 * @type {(one: string, other: string) => boolean}
 */
const equal = (one, other) => {
  if (one.length !== other.length || one.length === 0) return false;
  let difference = 0;
  for (let place = 0; place < one.length; place++) difference |= one.charCodeAt(place) ^ other.charCodeAt(place);
  return difference === 0;
};

/** @type {ChannelWebhook["parse"]} */
const parse = ({ rawBody }) => {
  const { events } = json(rawBody);
  return (Array.isArray(events) ? events : []).map(eventOf);
};

/** @type {(given: any) => ChannelEvent} */
const eventOf = (given) => {
  const { kind, id, at, from, name, text, status, reference } =
    typeof given === "object" && given !== null ? given : {};
  const time = Number.isFinite(at) && at > 0 ? at : 0;
  const isText = [id, from].every((value) => typeof value === "string" && value !== "");
  if (kind === "message" && isText) {
    /** @type {InboundContent} */
    const content =
      typeof text === "string"
        ? { type: "text", content: { text } }
        : { type: "unsupported", content: { originalType: "no text" } };
    return {
      kind: "received",
      key: id,
      at: time,
      from: { uid: from },
      chat: { uid: from },
      pushName: name ?? null,
      content,
    };
  }
  if (kind === "status" && isText && ["delivered", "read", "failed"].includes(status)) {
    const failed = status === "failed" ? { error: { code: 1, reason: "the network could not deliver it" } } : {};
    return { kind: "receipt", key: id, at: time, status, messageId: reference, to: { uid: from }, ...failed };
  }
  return { kind: "unknown", at: time, what: String(kind).slice(0, 100) };
};
