import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { secretsOf, type WrappedKey } from "../../../src/kernel/crypto.ts";
import { openReader } from "../../../src/store/engine/connection.ts";
import { processes } from "../../support/processes/process.ts";
import { startGateway } from "../../support/session/gateway-process.ts";
import { WEBHOOK_SECRET } from "../../support/world.ts";

const tools = processes(afterAll);
const gateway = await startGateway(tools, { RECADO_TEST_CLOCK: "1", RECADO_LOG_LEVEL: "debug" });
const { net } = gateway;
afterAll(() => gateway.end());

/** Every value in the channels' key stores that could be a key, as bytes. */
const keysOnDisk = (): Buffer[] => {
  const reader = openReader(join(gateway.dataDir, "recado.db"));
  const wrapped = reader
    .prepare("SELECT purpose, id, wrapped, retired_at AS retiredAt FROM wrapped_keys")
    .objects([]) as WrappedKey[];
  const rows = reader.prepare("SELECT channel_id AS channel, kind, id, sealed FROM key_rows").objects([]) as {
    channel: string;
    kind: string;
    id: string;
    sealed: string;
  }[];
  reader.close();
  const secrets = secretsOf(
    Buffer.from(readFileSync(join(gateway.dataDir, "master.key"), "utf8"), "base64"),
    seededRandom(1),
    wrapped,
  );
  return rows.flatMap(({ channel, kind, id, sealed }) =>
    keysIn(JSON.parse(secrets.open(`ring:${channel}:${kind}:${id}`, sealed))),
  );
};

const keysIn = (value: unknown): Buffer[] => {
  if (typeof value === "string") return /^[A-Za-z0-9+/]{22,}=*$/.test(value) ? [Buffer.from(value, "base64")] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(keysIn) : [];
};

/** How bytes might be printed: their beginning is enough to know them by. */
const printsOf = (key: Buffer): string[] => [
  key.toString("base64").slice(0, 16),
  key.toString("base64url").slice(0, 16),
  key.toString("hex").slice(0, 24),
  [...key.subarray(0, 10)].join(","),
];

test("5.3 whatever happens to a session, its log holds no key, no code to pair with, no text, and no number of anybody", async () => {
  const secret = new Map<string, string>();
  const keep = (name: string, ...texts: string[]) => texts.forEach((text) => secret.set(text, name));
  const [customer, typing] = [await gateway.customer("5511900000001"), await gateway.customer("5511900000002")];
  const ana = net.contact({ pn: "5511911110001", name: "Ana Sigilosa" });
  const group = net.group({ subject: "Grupo Secreto", members: [customer.device, ana] });

  net.faults.forgedChain({ times: 1 });
  const qr = await customer.qr();
  keep(
    "QR code",
    qr,
    ...(qr
      .split("#")[1]
      ?.split(",")
      .filter((part) => part.length > 8) ?? []),
  );
  await customer.pair();
  const code = await typing.code();
  keep("pairing code", code, `${code.slice(0, 4)}-${code.slice(4)}`);
  await typing.device.typeCode(code);
  await typing.until("CONNECTED");
  keysOnDisk().forEach((key) => keep("key", ...printsOf(key)));

  const text = (words: string) => {
    keep("text", words);
    return words;
  };
  const send = (to: string, words: string) => customer.send(to, "text", { text: text(words) });
  const postInbound = async (words: string) => {
    await ana.say(text(words), { to: customer.device });
    await customer.untilReceived((event) => event.data.content?.text === words);
  };
  await postInbound("uma palavra confidencial");
  net.faults.corrupt();
  await postInbound("outra palavra confidencial");
  ana.blind = true;
  await send(`${ana.pn}`, "resposta confidencial");
  await net.until(() => ana.unread.length > 0);
  ana.blind = false;
  await ana.until((one) => one.text === "resposta confidencial");
  await send(group.jid, "para o grupo, confidencial");
  await ana.until((one) => one.text === "para o grupo, confidencial");
  for (const error of [463, 479, 404]) {
    net.faults.nack(error, () => true, { times: 2 });
    const id = await send(`${ana.pn}`, `recusada ${error}, confidencial`);
    await customer.untilReceived(({ data }) => data.messageId === id && data.status !== "sent");
    net.faults.clear();
  }
  net.faults.duplicate({ times: 1 });
  await postInbound("duas vezes, confidencial");
  await send("5511922220002", "a ninguém, confidencial");
  keysOnDisk().forEach((key) => keep("key", ...printsOf(key)));

  for (const disturb of [
    () => customer.device.streamError("503"),
    () => customer.device.cut(),
    () => customer.device.end(),
  ]) {
    const { logins } = net.stat;
    disturb();
    await net.until(() => net.stat.logins > logins);
    await customer.until("CONNECTED");
  }
  await gateway.kill();
  await gateway.restart();
  await postInbound("depois do fim, confidencial");
  keysOnDisk().forEach((key) => keep("key", ...printsOf(key)));
  customer.device.unlink();
  await customer.untilReceived(({ type }) => type === "channel:qrcode");
  await typing.askPhone("logout", {});
  await typing.untilReceived(({ type }) => type === "channel:qrcode");
  for (const { received } of [customer, typing])
    for (const { data } of received("channel:qrcode")) keep("QR code", data.qr);
  keep("API key", customer.key, typing.key);
  keep("webhook secret", WEBHOOK_SECRET);
  keep("number", ...[ana, customer.device, typing.device].flatMap(({ pn = "", lid }) => [pn, lid]), "5511922220002");
  keep("name", "Ana Sigilosa", "Grupo Secreto");

  await gateway.stop();
  const printed = gateway.printed();
  const found = [...secret]
    .filter(([words]) => printed.includes(words))
    .map(([words, name]) => `${name}: ${lineWith(printed, words)}`);
  expect(found).toEqual([]);
  // it was looked for in something, and there was something to look for
  expect(
    ['"level":"info"', "session socket", "not the network's", "send failed", "link reported"].filter(
      (line) => !printed.includes(line),
    ),
  ).toEqual([]);
  expect(secret.size).toBeGreaterThan(2000);
}, 120_000);

const lineWith = (printed: string, words: string): string =>
  printed.split("\n").find((line) => line.includes(words)) ?? "";
