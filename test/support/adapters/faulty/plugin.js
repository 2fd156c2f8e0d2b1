// An adapter that breaks its contract. The credentials of a channel name the way.
export default {
  contract: "2.0",
  name: "faulty",
  version: "1.0.0",
  hosts: [],
  create: ({ Type }) => ({
    name: "faulty",
    kind: "FAULTY",
    label: { en: "faulty", pt: "faulty", es: "faulty" },
    network: { holdsConnection: true, isPaired: false, recipients: "ids", receipts: "each" },
    capabilities: { send: { text: {} }, operations: {}, choosesMessageIds: false, templates: false },
    credentials: Type.Object({ fault: Type.String({ label: { en: "fault", pt: "fault", es: "fault" } }) }),
    open: (host) => openLink(host),
    address: (to) => ({ ok: true, to: `uid:${to}` }),
  }),
};

const held = [];

const openLink = (host) => {
  const faults = {
    throws: () => {
      throw new Error("boom");
    },
    hangs: () => new Promise(() => {}),
    nonsense: () => Promise.resolve(["sent"]),
    blocks() {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100);
    },
    hoards() {
      held.push(Buffer.alloc(256 * 2 ** 20, 1));
    },
    floods() {
      for (let turn = 0; turn < 20_000; turn++) {
        host.report({ state: "CONNECTED", reason: `n${turn}`, profile: { name: "x" } });
        host.emit({ kind: "sung", at: turn }).catch(() => {});
        host.log.info({ turn }, "coo");
        host.clock.timer(turn, () => {
          throw new Error("boom");
        });
      }
    },
  };
  let name = "";
  let fault = () => Promise.resolve();
  const connect = async () => {
    const given = await host.vault.read();
    name = given.fault;
    fault = faults[name];
    host.report({ state: "CONNECTED", profile: { name: "x" } });
    host.report({ state: "ASLEEP" });
  };
  return {
    connect: () => void connect(),
    send: () => fault(),
    // the clock ends a hanging close, and it stands still in these tests
    async close() {
      held.length = 0;
      if (!["hangs", "blocks", "hoards"].includes(name)) await fault();
    },
    forget: () => fault(),
  };
};
