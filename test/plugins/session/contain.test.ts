import { expect, test } from "bun:test";
import { EventEmitter } from "node:events";
import type { WASocket } from "@whiskeysockets/baileys";
import { createClientVersion } from "../../../plugins/session/client/client-version.ts";
import { containFailures } from "../../../plugins/session/contain.ts";
import { createEngine } from "../../../plugins/session/engine.ts";
import { createLimits } from "../../../plugins/session/outbound/limits/limits.ts";
import { createPhoneSettings } from "../../../plugins/session/phone-settings.ts";
import { nextTurn, recordingHost } from "../../../src/conformance/recording-host.ts";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { CONNECTED, unpairedChannel } from "../../support/session/unpaired.ts";

const channel = unpairedChannel();

test("a listener that fails, at once or later, fails nothing else: the others are called in their order", async () => {
  const ws = new EventEmitter();
  const called: number[] = [];
  ws.on("CB:message", () => {
    called.push(1);
    throw new Error("at once");
  });
  const failLater = async (): Promise<void> => {
    called.push(2);
    await nextTurn();
    throw new Error("later");
  };
  ws.on("CB:message", failLater as () => void);
  ws.on("CB:message", () => called.push(3));
  const failures: unknown[] = [];
  containFailures({ ws } as unknown as WASocket, (error, event) => failures.push([event, (error as Error).message]));
  ws.emit("CB:message", {});
  expect(called).toEqual([1, 2, 3]);
  await nextTurn();
  await nextTurn();
  expect(failures).toEqual([
    ["CB:message", "at once"],
    ["CB:message", "later"],
  ]);
});

test("a frame that cannot be read ends its socket, and nothing else", async () => {
  const { net, host, pair, link } = channel();
  await pair();
  await link.close();
  const other = recordingHost({ http: host.http, vault: {}, keyRows: host.keyRows });
  const engine = createEngine(
    other,
    { url: net.url, root: net.root, perMinute: 20 },
    {
      limits: createLimits(other, 20),
      client: createClientVersion({ version: undefined, source: undefined }),
      phoneSettings: createPhoneSettings(other),
      activeSocket: () => undefined,
    },
  );
  const { sock } = engine.connect(await engine.openKeys(other), () => true);
  const closed = Promise.withResolvers<unknown>();
  sock.ev.on("connection.update", ({ connection, lastDisconnect }) => {
    if (connection === "open") sock.ws.emit("message", Buffer.from([0, 0, 20, ...Buffer.alloc(20, 7)]));
    if (connection === "close") closed.resolve(lastDisconnect?.error);
  });
  expect(await closed.promise).toBeInstanceOf(Error);
  expect(other.logLines.join("")).toContain("session socket: message could not be dealt with");
});

test("stanzas that lack everything are survived, and so is a cut in the middle of them", async () => {
  const all = channel();
  await all.pair();
  const odd = [
    { tag: "ib", attrs: {}, content: [{ tag: "dirty", attrs: {} }] },
    { tag: "message", attrs: {} },
    { tag: "receipt", attrs: {} },
    { tag: "notification", attrs: {} },
    { tag: "call", attrs: {} },
  ];
  for (const stanza of odd) all.phone.notify(stanza);
  all.phone.cut();
  await all.reported({ state: "CONNECTING" });
  await all.pass(MINUTE_MS);
  await all.reported(CONNECTED);
});
