// An adapter for a pager network, written from plugins/README.md alone. It polls an inbox.
const POLL_MS = 300;
const RETRY_MS = 5_000;

export default {
  contract: "2.0",
  name: "pager",
  version: "1.0.0",
  hosts: [],
  settings: [
    { name: "API_URL", pattern: "https?://.+", form: "an http or https URL", meaning: "where the pager network is" },
  ],
  create: ({ Type, settings }) => ({
    name: "pager",
    kind: "PAGER",
    label: { en: "pager", pt: "pager", es: "pager" },
    network: { holdsConnection: true, isPaired: false, recipients: "ids", receipts: "each" },
    capabilities: {
      send: { text: { textMaxBytes: 2000 } },
      operations: { read: { inbound: true } },
      choosesMessageIds: true,
      templates: false,
    },
    credentials: Type.Object({
      token: Type.String({
        pattern: "^[a-z0-9-]{8,64}$",
        description: "must be a pager token",
        label: { en: "Pager token", pt: "Token do pager", es: "Token del pager" },
        isSecret: true,
      }),
    }),
    phoneFields: {
      schema: { pagerCallsign: Type.Optional(Type.Union([Type.String(), Type.Null()])) },
      of: ({ profile }) => ({ pagerCallsign: profile.callsign ?? null }),
    },
    open: (host) => openLink(host, settings.API_URL),
    address,
    isKey: (key) => key.startsWith("PG"),
    probes: settings.API_URL ? [{ name: "pager-api", url: settings.API_URL }] : [],
  }),
};

const address = (to) => {
  const [, id] = /^(?:uid:)?([a-z]{3,20})$/.exec(to) ?? [];
  return id ? { ok: true, to: `uid:${id}` } : { ok: false, code: "RECIPIENT_INVALID" };
};

const providerMessageIdFor = (messageId) => `PG${messageId}`;

const openLink = (host, url) => {
  let state = "PENDING";
  let generation = 0;
  let cancel = () => {};
  let lastReceivedAt;

  const report = (next) => {
    state = next.state;
    host.report(next);
  };
  const call = async (method, path, body) => {
    const { token } = await host.vault.read();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return host.http.trusted({ url: url + path, method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  };

  const poll = async (mine) => {
    const { after = "0" } = await host.vault.read();
    const answer = await call("GET", `/v1/inbox?after=${after}`);
    if (mine !== generation) return;
    if (answer.ok && answer.status === 401) return report({ state: "TOKEN_EXPIRED", reason: "TOKEN_REFUSED" });
    if (!answer.ok || answer.status !== 200) return later(mine, RETRY_MS, poll);
    lastReceivedAt = host.clock.now();
    for (const entry of list(json(answer.body).entries)) {
      await host.emit(eventOf(entry));
      if (mine !== generation) return;
      await host.vault.write({ after: String(entry.n) }); // the network forgets earlier pages
    }
    later(mine, POLL_MS, poll);
  };
  const begin = async (mine) => {
    const answer = await call("GET", "/v1/account");
    if (mine !== generation) return;
    if (answer.ok && answer.status === 200) {
      lastReceivedAt = host.clock.now();
      report({ state: "CONNECTED", profile: { callsign: String(json(answer.body).callsign) } });
      return poll(mine);
    }
    if (answer.ok && answer.status === 401) return report({ state: "TOKEN_EXPIRED", reason: "TOKEN_REFUSED" });
    report({ state: "CONNECTING", reason: "NETWORK_UNREACHABLE" });
    later(mine, RETRY_MS, begin);
  };
  const run = (mine, step) => {
    step(mine).catch(() => {
      if (mine !== generation) return;
      host.log.warn({}, "the pager network could not be polled");
      if (state !== "CONNECTED") report({ state: "FAILED", reason: "NO_CREDENTIALS" });
      else later(mine, RETRY_MS, poll);
    });
  };
  const later = (mine, ms, step) => {
    cancel = host.clock.timer(ms, () => run(mine, step));
  };
  const guarded = async (ask, outcomeOf) => {
    try {
      return outcomeOf(await ask());
    } catch {
      return { ok: false, kind: "retry", code: "CHANNEL_UNAVAILABLE", reason: "the token cannot be read" };
    }
  };

  return {
    get lastReceivedAt() {
      return state === "CONNECTED" ? lastReceivedAt : undefined;
    },
    connect() {
      cancel();
      const mine = ++generation;
      if (state !== "CONNECTED") report({ state: "CONNECTING" });
      run(mine, begin);
    },
    async close() {
      generation += 1;
      cancel();
    },
    async forget() {},
    providerMessageIdFor,
    send: ({ type, content, to, messageId, key = providerMessageIdFor(messageId) }) => {
      const refused = { ok: false, kind: "refused", code: "UPSTREAM_UNSUPPORTED", reason: `a pager shows no ${type}` };
      if (type !== "text") return Promise.resolve(refused);
      const page = { to: to.slice(4), text: content.text, id: key };
      return guarded(
        () => call("POST", "/v1/pages", page),
        (answer) => outcomeOf(answer, { ok: true, key }),
      );
    },
    operate: ({ name, key }) =>
      guarded(
        () => call("POST", "/v1/read", { id: key }),
        (answer) =>
          name === "read"
            ? outcomeOf(answer, { ok: true })
            : { ok: false, kind: "refused", code: "UPSTREAM_UNSUPPORTED", reason: name },
      ),
  };
};

const outcomeOf = (answer, done) => {
  if (!answer.ok && answer.mayHaveArrived)
    return { ok: false, kind: "unknown", code: "OUTCOME_UNKNOWN", reason: "no answer came" };
  if (!answer.ok)
    return { ok: false, kind: "retry", code: "UPSTREAM_UNAVAILABLE", reason: "the network cannot be reached" };
  if (answer.status === 200) return done;
  if (answer.status === 401)
    return { ok: false, kind: "retry", code: "CREDENTIALS_REFUSED", reason: "the token is refused" };
  if (answer.status === 404)
    return { ok: false, kind: "refused", code: "RECIPIENT_NOT_ON_NETWORK", reason: "nobody has this pager" };
  return { ok: false, kind: "refused", code: "UPSTREAM_BAD_REQUEST", reason: `HTTP ${answer.status}` };
};

const list = (value) => (Array.isArray(value) ? value : []);

const json = (body) => {
  try {
    const value = JSON.parse(new TextDecoder().decode(body));
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
};

const eventOf = ({ kind, id, from, name, text, at, state }) => {
  const time = Number.isFinite(at) ? at : 0;
  const person = { uid: String(from) };
  if (kind === "page") {
    const content = { type: "text", content: { text: String(text) } };
    return { kind: "received", key: String(id), at: time, from: person, chat: person, pushName: name ?? null, content };
  }
  if (kind === "state" && (state === "delivered" || state === "read")) {
    return { kind: "receipt", key: String(id), at: time, status: state, to: person };
  }
  return { kind: "unknown", at: time, what: String(kind).slice(0, 80) };
};
