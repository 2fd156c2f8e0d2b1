// An adapter whose network calls one address for all its channels, and names the channel in its bodies.
export default {
  contract: "2.0",
  name: "telex",
  version: "1.0.0",
  hosts: ["*"],
  create: ({ Type }) => ({
    name: "telex",
    kind: "TELEX",
    label: { en: "telex", pt: "telex", es: "telex" },
    network: { holdsConnection: false, isPaired: false, recipients: "ids", receipts: "each" },
    capabilities: { send: { text: {} }, operations: {}, choosesMessageIds: false, templates: false },
    credentials: Type.Object({ line: Type.String({ label: { en: "line", pt: "line", es: "line" } }) }),
    routeOf: ({ line }) => ({ numberId: line }),
    address: (to) => ({ ok: true, to: `uid:${to}` }),
    receiver: {
      isConfigured: true,
      isFor: ({ rawBody }) => new TextDecoder().decode(rawBody).includes('"line"'),
      isSigned: ({ headers }) => headers.has("x-telex-secret"),
      verify: ({ headers }) => headers.get("x-telex-secret") === "tx-1",
      parse: ({ rawBody }) => [eventIn(JSON.parse(new TextDecoder().decode(rawBody)))],
    },
    open: (host) => ({
      connect: () => host.report({ state: "CONNECTED", profile: { name: "telex" } }),
      close: async () => {},
      forget: async () => {},
      send: async ({ messageId }) => ({ ok: true, key: messageId }),
    }),
  }),
};

const eventIn = ({ line, id, from, text }) => ({
  route: { by: "number", id: line },
  event: {
    kind: "received",
    key: id,
    at: 0,
    from: { uid: from },
    chat: { uid: from },
    pushName: null,
    content: { type: "text", content: { text } },
  },
});
