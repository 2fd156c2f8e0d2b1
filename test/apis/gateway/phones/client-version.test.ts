import { afterEach, beforeEach, expect, test } from "bun:test";
import { clientVersions } from "../../../../src/doctor/network/client-versions.ts";
import { DAY_MS, iso } from "../../../../src/kernel/clock.ts";
import { places } from "../../../support/processes/doctor.ts";
import type { Receiver } from "../../../support/servers/receiver.ts";
import { type SessionNetwork, sessionNetwork } from "../../../support/session/scripted-sends.ts";
import { startWorld, untilStatus, WEBHOOK_SECRET, type World } from "../../../support/world.ts";

const VERSION = "2.3000.1047471845";
const NEWER = "2.3000.1050000000";
const { report } = places();
let w: World;
let network: SessionNetwork;
let hook: Receiver;
let id: string;

beforeEach(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin], logLevel: "debug" });
  hook = w.receiver();
  const { key } = await w.account();
  const body = { type: "SESSION", label: "A phone", webhook: { url: hook.url, secret: WEBHOOK_SECRET } };
  ({ id } = (await w.gateway("/v1/phones", { key, body })).body);
  await untilStatus(w, id, "CONNECTED");
});
afterEach(() => w.stop());

const said = (version: string, expiresAt?: number | null) =>
  network.notify(id, { kind: "client", at: w.clock.now(), version, ...(expiresAt === undefined ? {} : { expiresAt }) });
const published = async () => {
  await w.settle();
  return hook.arrived.map(({ body }) => body).filter(({ type }) => type === "channel:client-expiring");
};
const warnings = () => w.logs.filter((line) => line.includes("stops accepting this client version")).length;
const metric = async (): Promise<string | undefined> => {
  w.clock.advance(6000); // the text of the figures is kept for five seconds
  const text = await (await fetch(`${w.app.url}/metrics`)).text();
  return /^recado_client_expires_timestamp_seconds\{kind="SESSION"\} (.+)$/m.exec(text)?.[1];
};
const doctor = () => report(clientVersions, { RECADO_DATA_DIR: w.dataDir });

test("W26-1 the end of a client version is an event, a metric, a check of the doctor and one warning", async () => {
  const end = Math.floor(w.clock.now() / 1000) * 1000 + 20 * DAY_MS;
  expect([await metric(), (await doctor()).outcome]).toEqual([undefined, "ok"]);
  await said(VERSION, end);
  await said(VERSION, end);
  expect((await published()).map(({ data }) => data)).toEqual([{ version: VERSION, expiresAt: iso(end) }]);
  expect(Number(await metric())).toBe(end / 1000);
  expect(await doctor()).toMatchObject({ found: expect.stringContaining(`${VERSION} at ${iso(end)}`) });
  expect(warnings()).toBe(1);
});

test("W26-1 it is not warned of again after a restart, nor with a newer number, which ends it", async () => {
  const end = w.clock.now() + 20 * DAY_MS;
  await said(VERSION, end);
  await w.restart();
  await untilStatus(w, id, "CONNECTED");
  await said(VERSION, end);
  expect(warnings()).toBe(1);
  await said(NEWER);
  expect([await metric(), (await doctor()).outcome, warnings()]).toEqual([undefined, "ok", 1]);
  expect((await published()).length).toBe(1);
});

test("W26-1 a date that is taken back is published so", async () => {
  await said(VERSION, null);
  expect(await published()).toEqual([]);
  await said(VERSION, w.clock.now() + DAY_MS);
  await said(VERSION, null);
  await said(VERSION, null);
  expect((await published()).map(({ data }) => data.expiresAt === null)).toEqual([false, true]);
  expect(await metric()).toBeUndefined();
});
