import { afterAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packEntries } from "../../../src/core/channels/moving/move-archive.ts";
import { openBeside } from "../../../src/store/engine/connection.ts";
import { clientOf } from "../../support/client.ts";
import { processes, type Server, type Settings } from "../../support/processes/process.ts";
import { startGateway } from "../../support/session/gateway-process.ts";
import {
  acceptedIdentity,
  baileysFiles,
  evolutionCreds,
  evolutionHash,
  stopped,
  talkingClient,
  writeFolder,
} from "../../support/session/moved.ts";
import { durationMs, realTime } from "../../support/waiting.ts";
import { ADMIN_TOKEN, WEBHOOK_SECRET } from "../../support/world.ts";

const TIME_LIMIT_MS = 120_000;
const tools = processes(afterAll);

/** The rows of the tables that an import writes. */
const rowsIn = (dataDir: string) => {
  const db = openBeside(join(dataDir, "recado.db"));
  const count = (sql: string): number => Number(db.prepare(sql).rows([])[0]?.[0]);
  try {
    return {
      channels: count("SELECT count(*) FROM channels"),
      keys: count("SELECT count(*) FROM key_rows"),
      ownKeys: count("SELECT count(*) FROM key_rows WHERE channel_id IN (SELECT id FROM channels)"),
      identities: count("SELECT count(*) FROM key_rows WHERE kind = 'creds'"),
      audit: count("SELECT count(*) FROM audit_entries"),
      webhooks: count("SELECT count(*) FROM subscriptions"),
    };
  } finally {
    db.close();
  }
};

test(
  "W26-7 recado import looks first, imports Evolution's export with its webhook while no server runs, and the next start opens it without a QR code; recado export gives it back to another installation",
  async () => {
    const gateway = await startGateway(tools, { RECADO_LOG_LEVEL: "info" });
    const { net, dataDir } = gateway;
    const settings: Settings = { RECADO_DATA_DIR: dataDir, RECADO_OUTBOUND_ALLOW: "127.0.0.1" };
    const customer = await gateway.customer("5511900000099"); // whose account and endpoint get the phone
    const ana = net.contact({ pn: "5511911110001" });
    const identity = await stopped(await talkingClient(net, "5511900000001", ana));
    const id = "7c1f5c52-53a5-4a36-9d8a-6a2b6a1f3a10";
    const tables = {
      Session: [{ sessionId: id, creds: evolutionCreds(identity) }],
      Instance: [{ id, name: "loja" }],
      Webhook: [{ instanceId: id, enabled: true, url: customer.hook.url, events: ["MESSAGES_UPSERT", "CHATS_SET"] }],
    };
    const source = join(tools.folder(), "evolution.json");
    const keys = join(tools.folder(), "redis.json");
    const secret = join(tools.folder(), "secret");
    writeFileSync(source, JSON.stringify(tables));
    writeFileSync(keys, JSON.stringify({ [`evolution:instance:${id}`]: evolutionHash(identity) }));
    writeFileSync(secret, `${WEBHOOK_SECRET}\n`);
    await gateway.stop();

    const importing = (...more: string[]) => tools.run(["import", source, "--keys", keys, ...more], settings);
    const nowhere = tools.dataDir();
    const lost = await tools.run(["import", source, "--dry-run"], { RECADO_DATA_DIR: nowhere });
    expect([lost.code, lost.err, existsSync(nowhere)]).toEqual([78, expect.stringContaining("no database"), false]);
    const before = rowsIn(dataDir);
    const looked = await importing("--dry-run", "--json");
    const report = JSON.parse(looked.out);
    expect([looked.code, looked.err, report.dryRun]).toEqual([0, "", true]);
    expect(report.sessions).toMatchObject([{ name: "loja", phoneNumber: "5511900000001", problems: [] }]);
    expect(rowsIn(dataDir)).toEqual(before);
    expect((await importing()).code).toBe(2);
    expect((await importing("--account", customer.accountId)).err).toContain("--stopped");
    expect(await importing("--account", "nobody", "--stopped")).toMatchObject({ code: 1 });
    expect(rowsIn(dataDir)).toEqual(before);

    const asked = ["--account", customer.accountId, "--stopped", "--webhook-secret-file", secret];
    const imported = await importing(...asked);
    expect([imported.code, imported.err]).toEqual([0, ""]);
    expect(imported.out).toContain("loja (5511900000001): is phone ");
    expect(imported.out).toContain("events without a counterpart: CHATS_SET");
    const again = await importing(...asked);
    expect([again.code, again.out]).toEqual([1, expect.stringContaining("has this session already")]);
    expect(rowsIn(dataDir)).toMatchObject({ channels: before.channels + 1, webhooks: before.webhooks + 1 });

    await gateway.restart();
    await net.phone("5511900000001").open();
    await ana.say("after the move", { to: net.phone("5511900000001") });
    await customer.untilReceived(({ data }) => data.content?.text === "after the move");

    const to = join(tools.folder(), "out");
    const taken = (...more: string[]) =>
      tools.run(["export", "session", "5511900000001", "--to", to, ...more], settings);
    const refused = await taken();
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("--stop")]);
    expect(readdirSync(to)).toEqual([]);
    const exported = await taken("--stop");
    expect([exported.code, exported.err]).toEqual([0, expect.stringContaining("credential")]);
    const files = readdirSync(to);
    expect(files).toContain("creds.json");
    expect(files.filter((name) => (statSync(join(to, name)).mode & 0o777) !== 0o600)).toEqual([]);
    expect((await taken("--stop")).err).toContain("is not empty");

    const elsewhere = { ...settings, RECADO_DATA_DIR: tools.dataDir() };
    const account = JSON.parse((await tools.run(["account", "create", "--name", "Other"], elsewhere)).out);
    const moved = await tools.run(["import", to, "--account", account.id, "--stopped", "--last-state"], elsewhere);
    expect([moved.code, moved.err]).toEqual([0, ""]);
    const logins = net.stat.logins;
    const other = await tools.serve({
      ...elsewhere,
      RECADO_WHATSAPP_WEB_URL: net.url,
      RECADO_WHATSAPP_WEB_ROOT: net.root,
    });
    await net.until(() => net.stat.logins > logins);
    await net.phone("5511900000001").open();
    expect(net.stat.refused).toEqual([]);
    other.signal("SIGTERM");
    await other.ended;

    const printed = [gateway.printed(), looked.out, imported.out, again.out, exported.out, exported.err].join();
    const { private: noise } = identity.creds.noiseKey;
    for (const value of [Buffer.from(noise).toString("base64"), identity.creds.advSecretKey, WEBHOOK_SECRET])
      expect(printed).not.toContain(value);
    expect(readFileSync(join(to, "creds.json"), "utf8")).toContain(identity.creds.advSecretKey);
    await gateway.end();
  },
  TIME_LIMIT_MS,
);

test(
  "W26-7 recado import beside a running server looks without a change, and its phone is connected at once",
  async () => {
    const gateway = await startGateway(tools, { RECADO_LOG_LEVEL: "info" });
    const { net, dataDir } = gateway;
    const customer = await gateway.customer("5511900000098");
    const ana = net.contact({ pn: "5511911110009" });
    const identity = await stopped(await talkingClient(net, "5511900000009", ana));
    const source = tools.folder();
    writeFolder(join(source, "noweb", "default"), baileysFiles(identity));
    const broken = baileysFiles(identity).map((entry) => ({
      ...entry,
      text: entry.text.replace(/"account":/, '"a":'),
    }));
    writeFolder(join(source, "noweb", "second"), broken);
    const importing = (...more: string[]) => tools.run(["import", source, ...more], { RECADO_DATA_DIR: dataDir });

    const before = rowsIn(dataDir);
    const looked = await importing("--dry-run");
    expect([looked.code, looked.err]).toEqual([1, ""]);
    expect(looked.out).toContain("default (5511900000009): can be imported; ");
    expect(looked.out).toContain("second (5511900000009): cannot be imported; ");
    expect(looked.out).toContain("problem: account is missing");
    expect(rowsIn(dataDir)).toEqual(before);

    const logins = net.stat.logins;
    const imported = await importing(
      "--account",
      customer.accountId,
      "--stopped",
      "--only",
      "default",
      "--label",
      "Loja",
    );
    expect([imported.code, imported.err]).toEqual([0, ""]);
    await net.until(() => net.stat.logins > logins);
    await net.phone("5511900000009").open();
    const { body: phones } = await customer.ask("/phones");
    expect(phones.find((phone: { label: string }) => phone.label === "Loja").phoneNumber).toBe("5511900000009");
    const again = await importing("--account", customer.accountId, "--stopped");
    expect([again.code, again.out]).toEqual([1, expect.stringContaining("has this session already")]);
    expect(again.out).toContain("account is missing");
    await gateway.stop();
    await gateway.end();
  },
  TIME_LIMIT_MS,
);

test(
  "W26-7 kill -9 in the middle of an import leaves the whole session or nothing of it",
  async () => {
    const settings = { RECADO_DATA_DIR: tools.dataDir(), RECADO_ADMIN_TOKEN: ADMIN_TOKEN };
    const MAPPINGS = 10_000;
    let number = 0;
    const nextSession = () => {
      number += 1;
      const { creds, rows } = acceptedIdentity(`55119000${10_000 + number}`);
      const many = new Map(rows);
      for (let n = 0; n < MAPPINGS; n++) many.set(`lid-mapping ${5511_0000_0000 + n}`, String(1000 + n));
      return baileysFiles({ creds, rows: many });
    };
    const begin = async (server: Server) => {
      const { id: accountId } = await clientOf(server, ADMIN_TOKEN).account();
      const session = await packEntries(nextSession());
      const body = JSON.stringify({ accountId, format: "baileys", session, oldServerStopped: true });
      const headers = { "content-type": "application/json", "x-admin-token": ADMIN_TOKEN };
      const before = rowsIn(settings.RECADO_DATA_DIR);
      const request = fetch(`${server.gatewayUrl}/v1/admin/imports`, { method: "POST", headers, body });
      return { before, answered: request.then(({ status }) => status).catch(() => 0) };
    };

    let server = await tools.serve(settings);
    const whole = await begin(server);
    const wholeMs = await durationMs(async () => expect(await whole.answered).toBe(201));
    const perSession = rowsIn(settings.RECADO_DATA_DIR).keys - whole.before.keys;
    for (const share of [0.2, 0.4, 0.6, 0.75, 0.9, 1, 1.1]) {
      const { before, answered } = await begin(server);
      await realTime(wholeMs * share);
      server.signal("SIGKILL");
      await server.ended;
      const isAnswered = (await answered) === 201;
      const after = rowsIn(settings.RECADO_DATA_DIR);
      const added = after.channels - before.channels;
      expect([0, 1]).toContain(added);
      if (isAnswered) expect(added).toBe(1);
      expect(after.keys - before.keys).toBe(added * perSession);
      expect(after.audit - before.audit).toBe(added);
      expect([after.ownKeys, after.identities]).toEqual([after.keys, after.channels]);
      server = await tools.serve(settings);
    }
  },
  TIME_LIMIT_MS,
);
