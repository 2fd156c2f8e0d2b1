import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { create } from "qrcode";
import { ACCOUNT, ADMIN_TOKEN, startChatwoot } from "../../support/chatwoot/server.ts";
import { modulesIn } from "../../support/networks/half-blocks.ts";
import { processes, type Settings } from "../../support/processes/process.ts";
import { type Customer, patiently, startGateway } from "../../support/session/gateway-process.ts";
import type { Contact } from "../../support/whatsapp/index.ts";

const tools = processes(afterAll);
const { folder, program, run, start } = tools;
const shell = processes(afterAll, ["bash", "-c"]);
const gateway = await startGateway(tools);
const { net } = gateway;
afterAll(() => gateway.end());

let people = 500;
const nextNumber = () => `55119${++people}00001`;

/** The settings of a person who works with this key; the server is found by its address. */
const withKey = (key: string): Settings => ({
  RECADO_DATA_DIR: join(folder(), "none"),
  RECADO_URL: gateway.server.gatewayUrl,
  RECADO_API_KEY: key,
});

type Line = { event: string } & Record<string, any>;
const jsonLines = (text: string): Line[] =>
  text
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const waitingPhone = async (): Promise<Customer> => gateway.customer(nextNumber());

describe("recado connect chatwoot", () => {
  test("makes the inbox with the token of a file, and says why it does not", async () => {
    const chatwoot = startChatwoot();
    const { key } = await gateway.client.account();
    const phone = await run(
      ["phone", "add", "--type", "SESSION", "--label", "Balcão", "--no-link", "--json"],
      withKey(key),
    );
    const { id } = JSON.parse(phone.out);
    const token = join(folder(), "token");
    const connect = (account: number, ...more: string[]) =>
      run(
        [
          "connect",
          "chatwoot",
          "--phone",
          id,
          "--chatwoot",
          chatwoot.url,
          "--account",
          `${account}`,
          "--token",
          token,
          ...more,
        ],
        withKey(key),
      );
    writeFileSync(token, `${ADMIN_TOKEN}\n`);
    const refused = await connect(ACCOUNT + 1);
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toMatch(/^recado connect chatwoot: .*no such account.*\(HANDSHAKE_REFUSED\)\n$/);
    const made = await connect(ACCOUNT);
    const inbox = chatwoot.inboxes.at(-1);
    expect([made.code, made.err, made.out]).toEqual([
      0,
      "",
      `Balcão: ${chatwoot.url}/app/accounts/${ACCOUNT}/inbox/${inbox?.id}\n`,
    ]);
    const wrong = await connect(ACCOUNT, "--batches", "yes");
    expect([wrong.code, wrong.err]).toEqual([
      2,
      "recado connect chatwoot: --read, --typing and --batches are on or off\n",
    ]);
    const switched = await connect(ACCOUNT, "--read", "off", "--batches", "on", "--json");
    expect(JSON.parse(switched.out)).toMatchObject({ markRead: false, typing: true, batches: true });
    await chatwoot.stop();
  });
});

describe("recado phone", () => {
  test("add makes a phone and goes on to link it: it ends when the code was scanned, and list shows the phone", async () => {
    const { key } = await gateway.client.account();
    const device = net.phone(nextNumber());
    const args = ["phone", "add", "--type", "SESSION", "--label", "Balcão", "--json"];
    const adding = await start(args, withKey(key), /"event":"qrcode"/);
    const [made, shown] = jsonLines(adding.out.text());
    await device.scan(shown?.["qr"]);
    const { code, out, err } = await adding.ended;
    expect([code, err, jsonLines(out).at(-1)]).toEqual([
      0,
      "",
      { event: "connected", id: made?.["id"], phoneNumber: device.pn },
    ]);
    const listed = await run(["phone", "list"], withKey(key));
    expect([
      listed.code,
      listed.err,
      listed.out
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/)),
    ]).toEqual([
      0,
      "",
      [
        ["ID", "LABEL", "TYPE", "NUMBER", "STATUS"],
        [made?.["id"], "Balcão", "SESSION", `${device.pn}`, "CONNECTED"],
      ],
    ]);
    const asJson = await run(["phone", "list", "--json"], withKey(key));
    expect(JSON.parse(asJson.out)).toEqual(await gateway.client.gateway("/v1/phones", key));
  });

  test("add leaves the phone to be linked later where that is wanted, and makes none of a wrong type", async () => {
    const { key } = await gateway.client.account();
    const settings = withKey(key);
    const made = await run(["phone", "add", "--type", "SESSION", "--label", "Later", "--no-link"], settings);
    expect([made.code, made.err, made.out]).toEqual([0, "", expect.stringMatching(/Later +SESSION +- +PENDING_QR\n$/)]);
    const refused = await run(["phone", "add", "--type", "FAX", "--label", "Old"], settings);
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toMatch(/^recado phone add: .*type .*\(VALIDATION_ERROR\)\n$/);
    expect(await gateway.client.gateway("/v1/phones", key)).toMatchObject([{ label: "Later" }]);
  });

  test("link draws in a terminal the code that the network gave, and ends when it was scanned", async () => {
    const customer = await waitingPhone();
    let text = "";
    const decoder = new TextDecoder();
    const child = Bun.spawn([...program, "phone", "link", customer.id], {
      env: { PATH: process.env["PATH"] ?? "", ...withKey(customer.key) },
      terminal: {
        cols: 200,
        rows: 100,
        data: (_, data) => void (text += decoder.decode(data, { stream: true })),
      },
    });
    const shownText = () => text.replaceAll("\r", "");
    // a code is replaced now and then: its picture stands in the place of the one before
    const qr = await patiently("no picture is that of the code", async () => {
      const shown = await customer.qr();
      const { data, size } = create(shown, { errorCorrectionLevel: "L" }).modules;
      const begins = ["Link a device.\n", "\u001b[J"].map((before) => shownText().lastIndexOf(before) + before.length);
      const picture = shownText().slice(Math.max(...begins));
      return Bun.deepEquals(modulesIn(picture, size), Array.from(data)) ? shown : undefined;
    });
    await customer.device.scan(qr);
    expect(await child.exited).toBe(0);
    expect(text).toContain(`linked: ${customer.device.pn}`);
  });

  test("link --code prints the code to type; for a phone that is linked it ends at once", async () => {
    const customer = await waitingPhone();
    const link = ["phone", "link", customer.id, "--json"];
    const coding = await start([...link, "--code", `${customer.device.pn}`], withKey(customer.key), /"event":"code"/);
    const code = jsonLines(coding.out.text()).find(({ event }) => event === "code");
    await customer.device.typeCode(code?.["code"]);
    const connected = { event: "connected", id: customer.id, phoneNumber: customer.device.pn };
    const { code: ended, out } = await coding.ended;
    expect([ended, jsonLines(out).at(-1)]).toEqual([0, connected]);
    const again = await run(link, withKey(customer.key));
    expect([again.code, jsonLines(again.out)]).toEqual([0, [connected]]);
  });
});

describe("with a phone that is linked", () => {
  let customer: Customer;
  let ana: Contact;
  let settings: Settings;
  let addressed: string[];
  beforeAll(async () => {
    customer = await waitingPhone();
    await customer.pair();
    ana = net.contact({ pn: nextNumber(), name: "Ana" });
    settings = withKey(customer.key);
    addressed = ["--phone", customer.id, "--to", `${ana.pn}`];
  });
  const sent = async () => (await customer.ask(`/messages?phoneId=${customer.id}`)).body.items.length;

  test("send sends a text, and phone send does the same with the text of stdin", async () => {
    const { code, out, err } = await run(["send", ...addressed, "Bom dia"], settings);
    expect([code, err, out]).toEqual([0, "", expect.stringMatching(/^[0-9a-f-]{36} {2}QUEUED\n$/)]);
    await ana.until(({ text }) => text === "Bom dia");
    const line = `printf 'two\\nlines\\n' | "$@"`;
    const piped = await shell.run([line, "bash", ...program, "phone", "send", ...addressed, "-", "--json"], settings);
    expect([piped.code, piped.err]).toEqual([0, ""]);
    expect(JSON.parse(piped.out)).toEqual({ messageId: expect.any(String), status: "QUEUED" });
    await ana.until(({ text }) => text === "two\nlines");
  });

  test("send --wait ends when the message is delivered, and has said each step", async () => {
    const { code, out } = await run(["send", ...addressed, "--wait", "--json", "Chegou?"], settings);
    const steps = jsonLines(out);
    expect([code, new Set(steps.map(({ messageId }) => messageId)).size]).toEqual([0, 1]);
    expect(steps[0]).toMatchObject({ status: "QUEUED" });
    expect(["DELIVERED", "READ"]).toContain(steps.at(-1)?.["status"]);
  });

  test("send --file uploads the file; other content is given as JSON", async () => {
    const path = join(folder(), "nota.pdf");
    writeFileSync(path, "%PDF-1.4\n%%EOF\n");
    const filed = await run(["send", ...addressed, "--file", path, "A nota"], settings);
    expect([filed.code, filed.err]).toEqual([0, ""]);
    await ana.until(({ message }) => JSON.stringify(message).includes(`"nota.pdf"`));
    const place = JSON.stringify({ latitude: -23.5, longitude: -46.6 });
    const placed = await run(["send", ...addressed, "--type", "location", "--content", place], settings);
    expect([placed.code, placed.err]).toEqual([0, ""]);
    await ana.until(({ message }) => message.locationMessage?.degreesLatitude === -23.5);
  });

  test("send --dry-run checks and sends nothing; what is refused is not sent, and the reason is named", async () => {
    const before = await sent();
    const dry = await run(["send", ...addressed, "--dry-run", "Bom dia", "--json"], settings);
    expect([dry.code, JSON.parse(dry.out)]).toMatchObject([0, { dryRun: true, isRepeat: false }]);
    const phone = ["--phone", crypto.randomUUID(), "--to", `${ana.pn}`];
    const REFUSED: [args: string[], code: number, reason: string][] = [
      [[...phone, "x"], 1, "(PHONE_NOT_FOUND)"],
      [[...addressed, "--type", "text", "--content", "{}"], 1, "content"],
      [[...addressed, "--type", "text", "--content", "{"], 2, "--content is not JSON"],
      [[...addressed, "--file", join(folder(), "none")], 2, "cannot be read"],
      [[...addressed, "--dry-run", "--file", "/dev/null"], 2, "leave --dry-run out"],
    ];
    for (const [args, code, reason] of REFUSED) {
      const refused = await run(["send", ...args], settings);
      expect([args.at(-1), refused.code, refused.out, refused.err]).toEqual([
        args.at(-1),
        code,
        "",
        expect.stringContaining(reason),
      ]);
    }
    expect(await sent()).toBe(before);
  });

  test("events lists the last events, oldest first, by type and time; text of others cannot steer the terminal", async () => {
    const text = "olá \u001b[2J\u009b31m";
    await ana.say(text, { to: customer.device });
    await customer.untilReceived(({ data }) => data.content?.text === text);
    const args = ["events", "--phone", customer.id, "--type", "message:received", "--type", "channel:connected"];
    const json = await run([...args, "--json", "--since", "2h"], settings);
    const events = jsonLines(json.out);
    expect(events[0]).toMatchObject({ type: "channel:connected", phoneId: customer.id });
    expect(events.filter(({ data }) => data.content?.text === text)).toHaveLength(1);
    const times = events.map(({ timestamp }) => String(timestamp));
    expect(times).toEqual(times.toSorted());
    const { code, out } = await run([...args, "--limit", "1"], settings);
    expect([code, out]).toEqual([0, expect.stringMatching(/^\S+Z {2}message:received {2,}[0-9a-f-]{36} {2}\{.*\n$/)]);
    // oxlint-disable-next-line no-control-regex -- it is these that must not come
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    const later = await run([...args, "--since", "2999-01-01T00:00Z"], settings);
    expect([later.code, later.out, later.err]).toEqual([0, "", ""]);
    const wrong = await run([...args, "--since", "yesterday"], settings);
    expect([wrong.code, wrong.out, wrong.err]).toEqual([2, "", expect.stringContaining("--since must be a time")]);
  });

  test("events --follow goes on after the earlier ones, and ends with 0 by Ctrl+C", async () => {
    await ana.say("antes", { to: customer.device });
    await customer.untilReceived(({ data }) => data.content?.text === "antes");
    const args = ["events", "--follow", "--json", "--since", "1h", "--type", "message:received"];
    const following = await start(args, settings, /"antes"/);
    await ana.say("depois", { to: customer.device });
    await following.out.holds(/"depois"/);
    following.child.kill("SIGINT");
    const { code, out, err } = await following.ended;
    expect([code, err]).toEqual([0, ""]);
    expect(jsonLines(out).filter(({ data }) => data.content?.text === "antes")).toHaveLength(1);
  });

  test("events --follow ends quietly when its reader has seen enough", async () => {
    await ana.say("um", { to: customer.device });
    await customer.untilReceived(({ data }) => data.content?.text === "um");
    const line = `set -o pipefail; "$@" | head -1`;
    const args = ["events", "--follow", "--since", "1h", "--limit", "2", "--type", "message:received"];
    const following = shell.spawn([line, "bash", ...program, ...args], settings);
    await following.out.holds(/\n/);
    let hasEnded = false;
    void following.ended.then(() => (hasEnded = true));
    // a pipe that is closed shows with the next event that is written to it
    for (let said = 0; said < 50 && !hasEnded; said++) {
      const text = `mais ${said}`;
      await ana.say(text, { to: customer.device });
      await customer.untilReceived(({ data }) => data.content?.text === text);
    }
    const { code, out, err } = await following.ended;
    expect([code, err, out.trimEnd().split("\n")]).toEqual([0, "", [expect.stringContaining("message:received")]]);
  });
});

const COMMANDS = ["phone list", "phone link x", "send --phone x --to 5511999990001 x", "events", "events --follow"];

describe.each(COMMANDS)("recado %s", (line) => {
  const args = line.split(" ");
  const name = /^(phone \w+|\w+)/.exec(line)?.[0];

  test("says what is missing or refused, and prints nothing else", async () => {
    const home = { RECADO_DATA_DIR: join(folder(), "none") };
    const [keyless, nowhere, refused, unreachable] = await Promise.all([
      run(args, home),
      run(args, { ...home, RECADO_API_KEY: "ak_live_x" }),
      run(args, withKey("ak_live_x")),
      run([...args, "--url", "http://127.0.0.1:1/gateway"], { ...home, RECADO_API_KEY: "ak_live_x" }),
    ]);
    expect(keyless).toEqual({ code: 2, out: "", err: expect.stringContaining("RECADO_API_KEY is missing") });
    expect(nowhere).toEqual({ code: 2, out: "", err: expect.stringContaining("no server runs on this machine") });
    expect(refused).toEqual({ code: 1, out: "", err: expect.stringContaining("(AUTH_INVALID)") });
    expect(unreachable).toMatchObject({ code: 1, out: "" });
    for (const { err } of [keyless, nowhere, refused, unreachable]) expect(err).toStartWith(`recado ${name}: `);
  });
});
