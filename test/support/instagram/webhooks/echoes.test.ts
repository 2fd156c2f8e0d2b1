import { describe, expect, test } from "bun:test";
import { until } from "../../graph/fixture.ts";
import { ACCOUNT, attachmentsIn, instagramBench, itemsOf, messageIn, USER } from "../fixture.ts";

const bench = instagramBench();

describe("echoes", () => {
  test("of the account's own messages have their sides the other way round, and open nothing", async () => {
    const { instagram, send, receive } = bench();
    const hooks = receive();
    const { mid } = await instagram.inbound.echo({
      to: ACCOUNT,
      from: "7",
      text: "from the app",
      attachments: [{ type: "image" }],
    });
    expect(itemsOf(hooks[0])).toMatchObject([
      { sender: { id: ACCOUNT }, recipient: { id: "7" }, message: { mid, is_echo: true, text: "from the app" } },
    ]);
    expect(attachmentsIn(hooks[0])).toMatchObject([{ type: "image" }]);
    expect((await send({ text: "oi" }, { recipient: { id: "7" } })).status).toBe(403);
  });

  test("of sends come by themselves when switched on, under the message id", async () => {
    const { instagram, send, receive } = bench();
    const hooks = receive();
    await send();
    instagram.configure({ echoes: "after" });
    const { body } = await send({ text: "olá" });
    await until(() => hooks.length === 1);
    await instagram.webhooks.settled();
    expect(messageIn(hooks[0])).toEqual({ mid: body["message_id"], is_echo: true, text: "olá" });
    expect(itemsOf(hooks[0])).toMatchObject([{ sender: { id: ACCOUNT }, recipient: { id: USER } }]);
    expect(hooks).toHaveLength(1);
  });

  test("can come before the answer to the send", async () => {
    const { instagram, send, receive } = bench();
    const hooks = receive();
    instagram.configure({ echoes: "before" });
    const { body } = await send();
    expect(hooks.map((hook) => messageIn(hook)["mid"])).toEqual([String(body["message_id"])]);
  });

  test("can be sent on order, late, again, or under another id; an unknown message has none", async () => {
    const { instagram, send, receive } = bench();
    const hooks = receive();
    const id = String((await send()).body["message_id"]);
    await instagram.deliverEcho(id);
    await instagram.deliverEcho(id, { mid: "other", signature: "wrong" });
    expect(hooks.map((hook) => messageIn(hook)["mid"])).toEqual([id, "other"]);
    expect(await instagram.deliverEcho("unknown").then(String, String)).toContain("no message unknown was accepted");
  });

  test("of attachments lead to what was fetched; others stand as they were sent", async () => {
    const { instagram, send, receive, offer } = bench();
    const hooks = receive();
    instagram.configure({ echoes: "before" });
    await send({ attachment: { type: "image", payload: { url: offer("png bytes", "image/png") } } });
    await send({ attachment: { type: "like_heart" } });
    const [image] = attachmentsIn(hooks[0]);
    expect(String(image?.payload["url"])).toStartWith(instagram.url);
    expect(await (await fetch(String(image?.payload["url"]))).text()).toBe("png bytes");
    expect(attachmentsIn(hooks[1])).toMatchObject([{ type: "like_heart" }]);
  });
});
