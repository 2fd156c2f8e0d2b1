/** The default export of an adapter, which loads well; each argument is source that replaces a part of it. */
const adapter = (
  name: string,
  { begin = "", create = "", open = "", connect = "", send = "", close = "" }: Record<string, string> = {},
): string => `${begin}
const held = [];
export default {
  contract: "2.0", name: "${name}", version: "1.0.0", hosts: [],
  create({ Type }) {
    ${create}
    return {
      name: "${name}", kind: "${name.toUpperCase().replaceAll("-", "_")}", label: { en: "x", pt: "x", es: "x" },
      network: { holdsConnection: true, isPaired: false, recipients: "ids", receipts: "each" },
      capabilities: { send: { text: {} }, operations: {}, choosesMessageIds: false, templates: false },
      credentials: Type.Object({ token: Type.String({ label: { en: "x", pt: "x", es: "x" } }) }),
      address: (to) => ({ ok: true, to: "uid:" + to }),
      open(host) {
        ${open}
        return {
          connect() { host.report({ state: "CONNECTED", profile: { name: "x" } }); ${connect} },
          async close() { ${close} },
          async forget() {},
          async send() { ${send} return { ok: true, key: "k" + host.clock.now() }; },
        };
      },
    };
  },
};
`;

/** TABLE: adapters that cannot be loaded, by name. */
export const UNLOADABLE: Readonly<Record<string, string>> = {
  "syntax-error": "export default {{",
  "no-package": 'import "a-package-that-is-nowhere";',
  "no-default": "export const adapter = {};",
  "throws-at-once": 'throw new Error("boom");',
  "awaits-for-ever": "await new Promise(() => {});",
  "loops-at-once": "do ; while (1);",
  "loops-in-create": adapter("loops-in-create", { create: "do ; while (1);" }),
  "ends-the-process": "process.exit(0);",
  "takes-all-memory": "const all = []; do all.push(new Uint8Array(2 ** 26).fill(1)); while (1);",
  "throws-in-create": adapter("throws-in-create", { create: 'throw new Error("boom");' }),
  "gives-a-promise": adapter("gives-a-promise").replace("create(", "async create("),
  "throws-in-open": adapter("throws-in-open", { open: 'throw new Error("boom");' }),
  "of-contract-1": adapter("of-contract-1").replace('"2.0"', "1"),
  "another-name": adapter("some-name"),
  "lacks-send": adapter("lacks-send").replace("async send", "async sent"),
};

/** TABLE: adapters whose faults come later, when a channel works. */
export const LATE: Readonly<Record<string, string>> = {
  "throws-in-connect": adapter("throws-in-connect", { connect: 'throw new Error("boom");' }),
  "rejects-unheard": adapter("rejects-unheard", { connect: 'Promise.reject(new Error("boom"));' }),
  "throws-later": adapter("throws-later", { connect: 'process.nextTick(() => { throw new Error("boom"); });' }),
  "reports-nonsense": adapter("reports-nonsense", { connect: 'host.report({ state: "ASLEEP" }); host.report(7);' }),
  "floods-reports": adapter("floods-reports", {
    connect:
      'for (let n = 0; n < 20000; n++) host.report({ state: "CONNECTED", reason: "n" + n, profile: { name: "x" } });',
  }),
  "floods-the-log": adapter("floods-the-log", {
    connect: 'for (let n = 0; n < 20000; n++) host.log.info({ n }, "coo");',
  }),
  "floods-events": adapter("floods-events", {
    connect: 'for (let n = 0; n < 20000; n++) host.emit({ kind: "sung", at: n }).catch(() => {});',
  }),
  "hangs-in-send": adapter("hangs-in-send", {
    send: "await new Promise(() => {});",
    close: "await new Promise(() => {});",
  }),
  "throws-in-send": adapter("throws-in-send", { send: 'throw new Error("boom");', close: 'throw new Error("boom");' }),
  "answers-nonsense": adapter("answers-nonsense", { send: 'return ["sent"];' }),
};
