import { afterAll, expect, test } from "bun:test";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { proto } from "@whiskeysockets/baileys";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { openReader } from "../../../src/store/engine/connection.ts";
import { processes } from "../../support/processes/process.ts";
import { roundsOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";
import { startReceiver } from "../../support/servers/receiver.ts";
import { customerOf, type Gateway, patiently, startGateway } from "../../support/session/gateway-process.ts";
import { WEBHOOK_SECRET } from "../../support/world.ts";

const ROUNDS = roundsOf(5);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
/** A piece takes some hundred milliseconds to take over. */
const PER_PIECE = 1500;
const LONGEST_ROUND_MS = 700;

const tools = processes(afterAll);
const gateway = await startGateway(tools, { RECADO_LOG_LEVEL: "error", RECADO_REGISTRATION: "open" });
const hook = startReceiver();
afterAll(() => Promise.all([gateway.end(), hook.stop()]));

/** An institution with a session that takes over its history. */
const institution = async (pn: string) => {
  const register = { name: "A", email: "a@example.com", password: "password-1", institutionName: "B" };
  const answer = await fetch(`${gateway.server.url}/platform/v1/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(register),
  });
  const { institution: made } = (await answer.json()) as { institution: { id: string } };
  const named = { name: "key" };
  const { key } = await gateway.client.admin<{ key: string }>(`/accounts/${made.id}/api-keys`, named);
  const webhook = { url: hook.url, secret: WEBHOOK_SECRET };
  const body = { type: "SESSION", label: "A phone", history: "recent", webhook };
  const { id } = await gateway.client.gateway<{ id: string }>("/v1/phones", key, body);
  return customerOf(gateway, { accountId: made.id, key, id, hook, device: gateway.net.phone(pn) });
};

const pieceOf = (round: number, jid: string): proto.IWebMessageInfo[] =>
  Array.from({ length: PER_PIECE }, (_, n) => ({
    key: { remoteJid: jid, fromMe: n % 3 === 0, id: `R${round}N${n}` },
    message: { conversation: `${round}.${n}` },
    messageTimestamp: 1_700_000_000 + round * PER_PIECE + n,
  }));

/** Read from a copy: who opens the database itself could stop a server from starting. */
const keptIn = ({ dataDir }: Gateway): string[] => {
  const copy = tools.folder();
  for (const name of ["recado.db", "recado.db-wal"])
    if (existsSync(join(dataDir, name))) copyFileSync(join(dataDir, name), join(copy, name));
  const reader = openReader(join(copy, "recado.db"));
  try {
    const rows = reader.prepare("SELECT content FROM received_messages").objects([]);
    return rows.map(({ content }) => (JSON.parse(String(content)) as { text: string }).text);
  } finally {
    reader.close();
  }
};

test(
  `W26-11 kill -9 in the middle of taking over a history: nothing is doubled, and nothing is lost whose arrival was acknowledged (${ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const customer = await institution("5511900000001");
    await customer.pair();
    const ana = gateway.net.contact({ pn: "5511911110001" });
    const caught: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await gateway.net.until(() => customer.device.devices[0]?.queued === 0);
      const before = keptIn(gateway).length;
      await customer.device.history({
        type: "RECENT",
        progress: round * 10,
        inFile: round % 2 === 0,
        messages: pieceOf(round, ana.jid),
      });
      await gateway.killAfter(random.float() * LONGEST_ROUND_MS);
      caught.push(keptIn(gateway).length - before);
      await gateway.restart();
      await customer.device.open();
    }
    const wanted = Array.from({ length: ROUNDS }, (_, round) => pieceOf(round, ana.jid)).flat();
    await patiently("the history is not taken over", async () =>
      (await customer.askPhone("history")).body.imported >= wanted.length ? true : undefined,
    );
    await gateway.stop();
    console.log(JSON.stringify({ rounds: ROUNDS, seed: SEED, caught }));
    expect(keptIn(gateway).sort()).toEqual(wanted.map(({ message }) => message?.conversation ?? "").sort());
    const types = new Set<string>(customer.hook.arrived.map(({ body }) => body.type));
    expect(types).toEqual(new Set(["channel:connected", "history:progress"]));
    expect([gateway.net.stat.unhandled, gateway.net.stat.refused]).toEqual([[], []]);
  },
  ROUNDS * 10_000 + 60_000,
);
