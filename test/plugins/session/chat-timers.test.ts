import { describe, expect, test } from "bun:test";
import { proto } from "@whiskeysockets/baileys";
import { received, receivingChannel, sendText } from "../../support/session/receiving.ts";

const channel = receivingChannel();
const { EPHEMERAL_SETTING } = proto.Message.ProtocolMessage.Type;
const DAY_S = 86_400;

type Under = { expiration: number | undefined; setAt: number | undefined };
/** The timer that a message came with at Ana's phone. */
const timerOf = async (text: string): Promise<Under> => {
  const { message } = await channel().ana.until((one) => one.text === text);
  const context = message.extendedTextMessage?.contextInfo;
  return {
    expiration: context?.expiration ?? undefined,
    setAt: context?.ephemeralSettingTimestamp ? Number(String(context.ephemeralSettingTimestamp)) : undefined,
  };
};
const says = async (text: string, contextInfo: proto.IContextInfo = {}) => {
  const { ana, phone, host } = channel();
  await ana.sendProto({ extendedTextMessage: { text, contextInfo } }, { to: phone });
  await received(host, "received", host.events.filter(({ kind }) => kind === "received").length + 1);
};
const sets = async (ephemeralExpiration: number) => {
  const { ana, phone } = channel();
  await ana.sendProto({ protocolMessage: { type: EPHEMERAL_SETTING, ephemeralExpiration } }, { to: phone });
  await says("e depois");
};
const sends = async (text: string) => {
  const { ana } = channel();
  await sendText(channel(), `pn:${ana.pn}`, text);
  return timerOf(text);
};

describe("a message into a group whose messages disappear", () => {
  const groupOf = async (disappearsAfter = 0) => {
    const { net, phone, ana } = channel();
    const group = net.group({ subject: "Equipe", members: [ana, phone], disappearsAfter });
    await settled();
    return group;
  };
  /** Every notification has been read. */
  const settled = () => channel().net.until(() => channel().phone.devices.every(({ queued }) => queued === 0));
  const sends = async ({ jid }: { jid: string }, text: string) => {
    await sendText(channel(), `group:${jid.replace("@g.us", "")}`, text);
    return timerOf(text);
  };
  const now = () => Math.floor(Date.now() / 1000);

  test("has the timer that an administrator sets, from when they did, until it is taken away", async () => {
    const group = await groupOf();
    expect((await sends(group, "um")).expiration).toBeUndefined();
    group.disappear(7 * DAY_S, now() - 60);
    await settled();
    const { expiration, setAt = 0 } = await sends(group, "dois");
    expect([expiration, Math.abs(setAt - (now() - 60)) < 30]).toEqual([7 * DAY_S, true]);
    group.disappear(0);
    await settled();
    expect((await sends(group, "três")).expiration).toBeUndefined();
  });

  test("has the timer with which the group began, or into which the phone was taken", async () => {
    expect((await sends(await groupOf(DAY_S), "um")).expiration).toBe(DAY_S);
  });

  test("has the newer of two timers, also where the update of the older one comes last", async () => {
    const group = await groupOf();
    group.disappear(DAY_S);
    group.disappear(7 * DAY_S, now() - 3600);
    await settled();
    expect((await sends(group, "um")).expiration).toBe(DAY_S);
    group.disappear(0);
    group.disappear(7 * DAY_S, now() - 3600);
    await settled();
    expect((await sends(group, "dois")).expiration).toBeUndefined();
  });

  test("has none of a few seconds", async () => {
    const group = await groupOf();
    group.disappear(1);
    await settled();
    expect((await sends(group, "um")).expiration).toBeUndefined();
  });
});

describe("a message into a chat whose messages disappear", () => {
  test("has the timer that the other person set (6.1), until it is taken away", async () => {
    await says("oi");
    expect(await sends("um")).toEqual({ expiration: undefined, setAt: undefined });
    await sets(DAY_S);
    const { expiration, setAt } = await sends("dois");
    expect([expiration, setAt !== undefined && setAt > 0]).toEqual([DAY_S, true]);
    await sets(0);
    expect((await sends("três")).expiration).toBeUndefined();
  });

  test("has the timer under which the last message was written, and the time when that was set", async () => {
    await says("oi", { expiration: DAY_S, ephemeralSettingTimestamp: 1_700_000_000 });
    expect(await sends("um")).toEqual({ expiration: DAY_S, setAt: 1_700_000_000 });
  });

  test("has none of a few seconds, nor does a time in the future outlast what is set later", async () => {
    await says("oi", { expiration: 1, ephemeralSettingTimestamp: 1_700_000_000 });
    expect((await sends("um")).expiration).toBeUndefined();
    await says("e", { expiration: 7 * DAY_S, ephemeralSettingTimestamp: 4_102_444_800 });
    await sets(DAY_S);
    expect((await sends("dois")).expiration).toBe(DAY_S);
  });

  test("keeps the newer of two timers, whichever message comes last", async () => {
    await says("oi", { expiration: DAY_S, ephemeralSettingTimestamp: 1_700_000_000 });
    await says("velho", { expiration: 7 * DAY_S, ephemeralSettingTimestamp: 1_600_000_000 });
    expect(await sends("um")).toEqual({ expiration: DAY_S, setAt: 1_700_000_000 });
  });
});
