import { describe, expect, test } from "bun:test";
import { takeTurnsByChat, turnsOf } from "../../../plugins/session/inbound/chat-turns.ts";
import { nextTurn } from "../../../src/conformance/recording-host.ts";

type Socket = Parameters<typeof takeTurnsByChat>[0];

const socket = () => {
  const sock: Socket = { messageMutex: { mutex: async (work) => work() } };
  takeTurnsByChat(sock);
  const log: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  /** A turn that begins, waits for `end`, and ends. */
  const turn = (name: string, remoteJid?: string, remoteJidAlt?: string) => {
    const gate = Promise.withResolvers<void>();
    gates.set(name, gate);
    const place = remoteJid === undefined ? undefined : { remoteJid, remoteJidAlt };
    return turnsOf(sock, place).mutex(async () => {
      log.push(`+${name}`);
      await gate.promise;
      log.push(`-${name}`);
      return name;
    });
  };
  const end = async (name: string) => {
    gates.get(name)?.resolve();
    for (let turns = 0; turns < 5; turns++) await nextTurn();
  };
  const settled = async () => {
    for (let turns = 0; turns < 5; turns++) await nextTurn();
    return log.join(" ");
  };
  return { sock, turn, end, settled };
};

describe("the turns in which messages are read", () => {
  test("those of one chat come one after the other, and other chats do not wait for them", async () => {
    const { turn, end, settled } = socket();
    void turn("a1", "1@lid");
    void turn("a2", "1@lid");
    void turn("b1", "2@lid");
    expect(await settled()).toBe("+a1 +b1");
    await end("b1");
    await end("a2");
    expect(await settled()).toBe("+a1 +b1 -b1");
    await end("a1");
    expect(await settled()).toBe("+a1 +b1 -b1 -a1 +a2 -a2");
  });

  test("a person under the number and under the LID is one chat, whatever the device", async () => {
    const { turn, settled } = socket();
    void turn("first", "5511911110001@s.whatsapp.net", "1:2@lid");
    void turn("second", "1@lid", "5511911110001@s.whatsapp.net");
    void turn("third", "1:7@lid");
    expect(await settled()).toBe("+first");
  });

  test("one without a chat comes after all before it, and before all after it", async () => {
    const { turn, end, settled } = socket();
    void turn("a1", "1@lid");
    void turn("b1", "2@lid");
    void turn("all");
    void turn("a2", "1@lid");
    void turn("c1", "3@lid");
    await end("a1");
    expect(await settled()).toBe("+a1 +b1 -a1");
    await end("b1");
    expect(await settled()).toBe("+a1 +b1 -a1 -b1 +all");
    await end("all");
    expect(await settled()).toBe("+a1 +b1 -a1 -b1 +all -all +a2 +c1");
  });

  test("one that fails rejects for its caller alone", async () => {
    const { sock, turn, end } = socket();
    const failed = turnsOf(sock, { remoteJid: "1@lid" }).mutex(async () => {
      throw new Error("no");
    });
    const next = turn("next", "1@lid");
    expect(failed).rejects.toThrow("no");
    await end("next");
    expect(await next).toBe("next");
  });
});
