import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUILT_IN } from "../../../plugins/session/client/client-version.ts";
import { numberIn } from "../../../plugins/session/client/version-source.ts";
import { sessionPlugin } from "../../../plugins/session/plugin.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import { fileServer } from "../../support/session/file-server.ts";
import { CONNECTED, type SessionLink, type UnpairedChannel, unpairedChannel } from "../../support/session/unpaired.ts";
import { untilTrue } from "../../support/waiting.ts";

const channel = unpairedChannel();
const NEWER = BUILT_IN + 1_000_000;
let folder: string;
let source: string;
const links: SessionLink[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recado-version-"));
  source = join(folder, "version.txt");
});
afterEach(async () => {
  await Promise.all(links.splice(0).map((link) => link.close()));
  rmSync(folder, { recursive: true });
});

/** A process of its own over the same database, with this source. */
const processWith = ({ net, host }: UnpairedChannel, client: { version?: number; source?: string }): SessionLink => {
  const { version, source: from } = client;
  const settings = { url: net.url, root: net.root, perMinute: 20, client: { version, source: from } };
  const link = sessionPlugin(settings).open(host) as SessionLink;
  links.push(link);
  return link;
};

/** A session that was paired by a process with these settings. */
const paired = async (client: { version?: number; source?: string }) => {
  const all = channel();
  const link = processWith(all, client);
  link.connect();
  const qr = await link.pairing.nextQr(MINUTE_MS);
  await all.phone.scan(qr?.text ?? "");
  await all.reported(CONNECTED);
  await all.phone.open();
  return { ...all, link };
};

const versionsOf = ({ net }: UnpairedChannel): readonly string[] => net.stat.appVersions;
const warnings = ({ host }: UnpairedChannel, text: string): number =>
  host.logLines.filter((line) => line.includes(text)).length;

describe("W26-1 the client version of sessions", () => {
  test("W26-1 is the built-in one, or the operator's, which beats all", async () => {
    const all = channel();
    await all.pair();
    expect(versionsOf(all).at(-1)).toBe(`2.3000.${BUILT_IN}`);
    await all.link.close();
    writeFileSync(source, String(NEWER));
    all.net.require({ minVersion: NEWER });
    const link = processWith(all, { version: BUILT_IN + 5, source });
    link.connect();
    await all.reported({ state: "DISCONNECTED", reason: "CLIENT_OUTDATED" });
    expect(versionsOf(all).at(-1)).toBe(`2.3000.${BUILT_IN + 5}`);
  });

  test("W26-1 a 405 heals in one reconnect where the source names a newer number, also after a restart", async () => {
    writeFileSync(source, `2.3000.${NEWER}\n`);
    const all = await paired({ source });
    const before = versionsOf(all).length;
    all.net.require({ minVersion: NEWER });
    all.phone.cut();
    await all.host.until(() => all.host.reports.at(-1)?.state === "CONNECTING");
    await all.pass(SECOND_MS);
    await all.reported(CONNECTED);
    expect(versionsOf(all).slice(before)).toEqual([`2.3000.${BUILT_IN}`, `2.3000.${NEWER}`]);
    expect(all.states()).not.toContain("DISCONNECTED");
    // the file is gone, and another process begins with what was learned
    rmSync(source);
    await all.link.close();
    const next = processWith(all, { source });
    next.connect();
    await all.net.until(() => versionsOf(all).length === before + 3);
    expect(versionsOf(all).at(-1)).toBe(`2.3000.${NEWER}`);
  });

  test.each([
    ["a lower number", String(BUILT_IN - 1)],
    ["an absurd number", String(BUILT_IN + 40_000_001)],
    ["another version line", "[2,2999,1050000000]"],
    ["no number", "<html>not found</html>"],
  ])("W26-1 %s is refused, and changes nothing", async (_name, text) => {
    writeFileSync(source, text);
    const all = await paired({ source });
    all.net.require({ minVersion: NEWER });
    const before = versionsOf(all).length;
    all.phone.cut();
    await all.host.until(() => all.host.reports.at(-1)?.state === "CONNECTING");
    await all.pass(SECOND_MS);
    await all.reported({ state: "DISCONNECTED", reason: "CLIENT_OUTDATED" });
    expect(versionsOf(all).slice(before)).toEqual([`2.3000.${BUILT_IN}`]);
    expect(all.host.shared.get("client-version") ?? "").not.toContain("learned");
    // a right number is taken at the next try
    writeFileSync(source, String(NEWER));
    await all.pass(5 * MINUTE_MS);
    await all.reported(CONNECTED);
    expect(versionsOf(all).at(-1)).toBe(`2.3000.${NEWER}`);
  });

  test("W26-1 a source that answers without end is read for 1 MiB, and asked once for many sessions", async () => {
    const body = `{"x":"${"y".repeat(900_000)}","client_revision":${NEWER}}${" ".repeat(3_000_000)}`;
    await using server = fileServer(() => new Response(body));
    const all = await paired({ source: `${server.url}/sw.js` });
    all.net.require({ minVersion: NEWER });
    all.phone.cut();
    await all.host.until(() => all.host.reports.at(-1)?.state === "CONNECTING");
    await all.pass(SECOND_MS);
    await all.reported(CONNECTED);
    expect(server.asked).toEqual(["/sw.js"]);
  });

  test("W26-1 a version that may not be linked any more shows its QR code, and the phone refuses it", async () => {
    const all = channel();
    all.net.require({ linkMin: NEWER });
    all.link.connect();
    const refusal = await all.phone.scan(await all.qr()).catch((thrown: unknown) => thrown);
    expect(String(refusal)).toContain("Couldn't link device");
    expect(all.net.stat.pairings).toBe(0);
  });
});

describe("W26-1 the end of a version", () => {
  const inDays = (days: number, { host }: UnpairedChannel) => Math.floor((host.clock.now() + days * DAY_MS) / 1000);
  const clientEvents = ({ host }: UnpairedChannel) => host.events.filter(({ kind }) => kind === "client");

  test("W26-1 is reported once, comes only nearer, and can be taken back", async () => {
    const all = await paired({});
    const [far, near] = [inDays(60, all), inDays(30, all)];
    all.phone.expireClient(far);
    await all.host.until(() => clientEvents(all).length === 1);
    all.phone.expireClient(near);
    await all.host.until(() => clientEvents(all).length === 2);
    all.phone.expireClient(far);
    all.phone.expireClient(near);
    all.phone.expireClient();
    await all.host.until(() => clientEvents(all).length === 3);
    const version = `2.3000.${BUILT_IN}`;
    expect(clientEvents(all)).toMatchObject([
      { version, expiresAt: far * 1000 },
      { version, expiresAt: near * 1000 },
      { version, expiresAt: null },
    ]);
  });

  test("W26-1 is forgotten by a process with a newer number, which says so once", async () => {
    const all = await paired({});
    all.phone.expireClient(inDays(10, all));
    await all.host.until(() => clientEvents(all).length === 1);
    await all.link.close();
    const next = processWith(all, { version: NEWER });
    next.connect();
    await all.host.until(() => clientEvents(all).length === 2);
    expect(clientEvents(all)[1]).toEqual(expect.objectContaining({ kind: "client", version: `2.3000.${NEWER}` }));
    expect(clientEvents(all)[1]).not.toHaveProperty("expiresAt");
  });

  test("W26-1 has the source asked 14 days before, and not earlier", async () => {
    writeFileSync(source, String(NEWER));
    const all = await paired({ source });
    all.phone.expireClient(inDays(20, all));
    await all.host.until(() => clientEvents(all).length === 1);
    const learned = () => warnings(all, "a newer client version was learned");
    all.host.clock.advance(5 * DAY_MS);
    await all.host.settled();
    expect(learned()).toBe(0);
    all.host.clock.advance(DAY_MS + MINUTE_MS);
    await untilTrue(async () => {
      await all.host.settled();
      return learned() > 0;
    });
    expect(JSON.parse(all.host.shared.get("client-version") ?? "{}")).toMatchObject({ learned: NEWER });
  });
});

test.each([
  ["1050000000", 1_050_000_000],
  [" 2.3000.1050000000\n", 1_050_000_000],
  ["[2,3000,1050000000]", 1_050_000_000],
  ['{"version":[2,3000,1050000000]}', 1_050_000_000],
  ['{"version":"2.3000.1050000000"}', 1_050_000_000],
  ['x={\\"client_revision\\":1050000000,y:1}', 1_050_000_000],
  ['"client_revision": 1050000000', 1_050_000_000],
  ["2.3001.1050000000", undefined],
  ["[2,3000,1050000000.5]", undefined],
  ["", undefined],
  ["{}", undefined],
])("W26-1 the text %j names %p", (text, number) => {
  expect(numberIn(text)).toBe(number as number);
});
