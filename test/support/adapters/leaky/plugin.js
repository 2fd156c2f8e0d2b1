// An adapter whose own timer and promise fail while no call of the server waits for them.
export default {
  contract: "2.0",
  name: "leaky",
  version: "1.0.0",
  hosts: [],
  create: ({ Type }) => ({
    name: "leaky",
    kind: "LEAKY",
    label: { en: "leaky", pt: "leaky", es: "leaky" },
    network: { holdsConnection: false, isPaired: false, recipients: "ids", receipts: "each" },
    capabilities: { send: { text: {} }, operations: {}, choosesMessageIds: false, templates: false },
    credentials: Type.Object({ token: Type.String({ label: { en: "token", pt: "token", es: "token" } }) }),
    address: (to) => ({ ok: true, to: `uid:${to}` }),
    open: (host) => ({
      connect() {
        host.report({ state: "CONNECTED", profile: { name: "leaky" } });
        setImmediate(() => {
          throw new Error("the timer failed");
        });
        void Promise.reject(new Error("the promise failed"));
      },
      close: async () => {},
      forget: async () => {},
      send: async ({ messageId }) => ({ ok: true, key: messageId }),
    }),
  }),
};
