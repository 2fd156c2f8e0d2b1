import { describe, expect, test } from "bun:test";
import { takeTurnsByChat, turnsOf } from "../../../../plugins/session/inbound/chat-turns.ts";
import { nextTurn } from "../../../../src/conformance/recording-host.ts";

type Socket = Parameters<typeof takeTurnsByChat>[0];

const ME = { id: "5511900000001:3@s.whatsapp.net", lid: "900:3@lid" };

const socket = () => {
  const sock = { messageMutex: { mutex: async (work) => work() }, authState: { creds: { me: ME } } } as Socket;
  takeTurnsByChat(sock);
  const log: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  /** A turn that begins, waits for `end`, and ends. */
  const turn = (name: string, from?: string, attrs: Record<string, string> = {}) => {
    const gate = Promise.withResolvers<void>();
    gates.set(name, gate);
    const turns =
      from === undefined ? sock.messageMutex : turnsOf(sock, { tag: "message", attrs: { id: name, from, ...attrs } });
    return turns.mutex(async () => {
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
    void turn("first", "5511911110001@s.whatsapp.net", { sender_lid: "1:2@lid" });
    void turn("second", "1@lid", { sender_pn: "5511911110001@s.whatsapp.net" });
    void turn("third", "1:7@lid");
    void turn("fourth", "5511911110001:4@s.whatsapp.net");
    expect(await settled()).toBe("+first");
  });

  test("what the owner writes to a person, on the phone or by a list, is in the chat with the person", async () => {
    const { turn, end, settled } = socket();
    void turn("theirs", "1@lid", { sender_pn: "5511911110001@s.whatsapp.net" });
    void turn("ours", "5511900000001@s.whatsapp.net", {
      recipient: "5511911110001@s.whatsapp.net",
      peer_recipient_lid: "1@lid",
    });
    void turn("listed", "77@broadcast", { participant: "1:2@lid" });
    void turn("other", "77@broadcast", { participant: "2@lid" });
    expect(await settled()).toBe("+theirs +other");
    await end("theirs");
    expect(await settled()).toBe("+theirs +other -theirs +ours");
    await end("ours");
    expect(await settled()).toBe("+theirs +other -theirs +ours -ours +listed");
  });

  test("one that is no message waits for no chat, and holds none", async () => {
    const { turn, settled } = socket();
    void turn("a1", "1@lid");
    void turn("unaddressed", "");
    void turn("a2", "1@lid");
    expect(await settled()).toBe("+a1 +unaddressed");
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
    const failed = turnsOf(sock, { tag: "message", attrs: { id: "1", from: "1@lid" } }).mutex(async () => {
      throw new Error("no");
    });
    const next = turn("next", "1@lid");
    expect(failed).rejects.toThrow("no");
    await end("next");
    expect(await next).toBe("next");
  });
});
