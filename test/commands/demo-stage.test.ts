import { expect, test } from "bun:test";
import { allOf, onStage } from "../../src/commands/demo/stage.ts";
import { createLog } from "../../src/kernel/log.ts";
import { untilTrue } from "../support/waiting.ts";

test("a demo shows what a send answers before the webhooks of it, although these overtake the answer", async () => {
  const shown: string[] = [];
  const trip = allOf("sent", "delivered", "read");
  const context = {
    args: [],
    env: {},
    out: (line: string) => void shown.push(line),
    err: () => {},
    isTerminal: false,
    unread: new AbortController().signal,
  };
  const setting = {
    settings: {},
    options: { log: createLog("silent"), simulated: true },
    onEvent: trip.onEvent,
    summary: () => ({}),
  };
  await onStage(context, setting, async ({ recado, webhook, before }) => {
    const { id: phoneId } = await recado.phones.create({ type: "SESSION", label: "A phone", webhook });
    await untilTrue(async () => (await recado.phones.get(phoneId)).status === "CONNECTED");
    await before(async () => {
      const content = { text: "one" };
      const { messageId } = await recado.messages.send({ phoneId, to: "5511999990123", type: "text", content });
      await untilTrue(async () => (await recado.messages.get(messageId)).status === "READ");
      shown.push("accepted");
    });
    await trip.done;
    return 0;
  });
  const isOfSend = (line: string) => line === "accepted" || line.includes("message:status");
  expect(shown.filter(isOfSend).map((line) => line.trim().split(/\s+/).at(2) ?? line)).toEqual([
    "accepted",
    ...Array<string>(3).fill("message:status"),
  ]);
});
