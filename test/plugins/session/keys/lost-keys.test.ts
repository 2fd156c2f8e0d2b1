import { describe, expect, test } from "bun:test";
import { receivingChannel, sendText } from "../../../support/session/receiving.ts";
import type { Contact } from "../../../support/whatsapp/index.ts";

const channel = receivingChannel();

const COMPANION = /:1@/;
/** Somebody with a phone and one linked device. */
const personWithTwo = (): Contact => channel().net.contact({ pn: "5511922220001", devices: 2 });
const devicesThatRead = ({ received }: Contact, text: string) =>
  received.flatMap((message) => (message.text === text ? [message.device] : []));

describe("W26-5 a device that is listed and has no keys any more", () => {
  test("is left out of a message, which its phone gets at once, and is not asked about again", async () => {
    const { net, host } = channel();
    const caio = personWithTwo();
    let asked = 0;
    net.faults.loseKeys((jid) => {
      if (COMPANION.test(jid)) asked += 1;
      return COMPANION.test(jid);
    });
    for (const text of ["um", "dois", "três"]) {
      expect(await sendText(channel(), `pn:${caio.pn}`, text)).toBeString();
      await caio.until((message) => message.text === text);
      expect(devicesThatRead(caio, text)).toEqual([0]);
    }
    expect(asked).toBe(1);
    expect(host.state).toBe("CONNECTED");
  });

  test("gets what is sent later, when it has keys and the list is learned anew", async () => {
    const { net, phone, host } = channel();
    const caio = personWithTwo();
    const heal = net.faults.loseKeys((jid) => COMPANION.test(jid));
    await sendText(channel(), `pn:${caio.pn}`, "um");
    await caio.until((message) => message.text === "um");
    heal();
    host.clock.advance(60 * 60_000 + 1);
    await phone.open();
    await host.until(() => host.reports.at(-1)?.state === "CONNECTED");
    await sendText(channel(), `pn:${caio.pn}`, "dois");
    await net.until(() => devicesThatRead(caio, "dois").length === 2);
  });

  test.each([
    ["a linked device", COMPANION],
    ["a phone", /^[^:]+@/],
  ])("keeps nobody else of a group from a message: %s", async (_, lost) => {
    const { net, phone, ana, bia } = channel();
    const caio = personWithTwo();
    const group = net.group({ subject: "Equipe", members: [phone, ana, bia, caio] });
    const isOfCaio = (jid: string) => jid.startsWith(caio.lid) && lost.test(jid);
    net.faults.loseKeys(isOfCaio);
    await sendText(channel(), `group:${group.jid.replace("@g.us", "")}`, "olá");
    for (const one of [ana, bia]) await one.until((message) => message.text === "olá");
  });

  test("that is the phone itself is looked up anew, and nothing goes to its other devices alone", async () => {
    const { net, link } = channel();
    const caio = personWithTwo();
    const heal = net.faults.loseKeys((jid) => jid.startsWith(caio.lid) && !COMPANION.test(jid));
    const order = { type: "text", content: { text: "?" }, messageId: "6a0c2b1e-0000-4000-8000-000000000001" } as const;
    expect(await link.send({ ...order, to: `pn:${caio.pn}` })).toMatchObject({ ok: false, kind: "retry" });
    expect(caio.received).toEqual([]);
    heal();
    await sendText(channel(), `pn:${caio.pn}`, "um");
    await net.until(() => devicesThatRead(caio, "um").length === 2);
  });
});
