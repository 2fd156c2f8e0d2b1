// An adapter whose network calls one address for all numbers of an account, signed with the account's key.
import { createHmac, timingSafeEqual } from "node:crypto";

const text = (bytes) => new TextDecoder().decode(bytes);
const word = (label) => ({ label: { en: label, pt: label, es: label } });
const registered = (globalThis.switchboardAddresses ??= new Map()); // the network's memory: an address per account

export default {
  contract: "2.0",
  name: "switchboard",
  version: "1.0.0",
  hosts: [],
  create: ({ Type }) => ({
    name: "switchboard",
    kind: "SWITCHBOARD",
    label: { en: "switchboard", pt: "switchboard", es: "switchboard" },
    network: { holdsConnection: false, isPaired: false, recipients: "phone-numbers", receipts: "each" },
    capabilities: { send: { text: {} }, operations: {}, choosesMessageIds: false, templates: false },
    credentials: Type.Object({
      account: Type.String(word("account")),
      key: Type.String({ ...word("key"), isSecret: true }),
      number: Type.String(word("number")),
    }),
    routeOf: ({ account, number }) => ({ accountId: account, numberId: number }),
    address: (to) => ({ ok: true, to: `pn:${to.replace("pn:", "")}` }),
    webhook: {
      servesAccount: true,
      isSigned: ({ headers }) => headers.has("x-switchboard"),
      verify({ headers, rawBody }, { key }) {
        const right = createHmac("sha256", key).update(rawBody).digest();
        const given = Buffer.from(headers.get("x-switchboard") ?? "", "hex");
        return given.length === right.length && timingSafeEqual(given, right);
      },
      parse: ({ rawBody }) => JSON.parse(text(rawBody)).map(itemOf),
    },
    open: (host) => ({
      async connect() {
        const { account } = await host.vault.read();
        registered.set(account, host.webhookUrl);
        host.report({ state: "CONNECTED", profile: { name: account } });
      },
      close: async () => {},
      async forget({ isLastOfAccount }) {
        const { account } = await host.vault.read();
        if (isLastOfAccount) registered.delete(account);
      },
      send: async ({ messageId }) => ({ ok: true, key: messageId }),
    }),
  }),
};

const itemOf = ({ number, id, from, said }) => {
  const event = {
    kind: "received",
    key: id,
    at: 0,
    from: { pn: from },
    chat: { pn: from },
    pushName: null,
    content: { type: "text", content: { text: said } },
  };
  return number === undefined ? event : { numberId: number, event };
};
