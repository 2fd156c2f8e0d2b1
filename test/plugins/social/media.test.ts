import { describe, expect, test } from "bun:test";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { recordingHost } from "../../../src/conformance/recording-host.ts";
import type { UpstreamFile } from "../../../src/contract/content/media.ts";
import type { UpstreamResult } from "../../../src/contract/upstream.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { SAMPLES } from "../../support/instagram/messages/media.ts";
import { ACCOUNT, socialChannel, USER, vaultAt } from "../../support/networks/social-channel.ts";
import { webhookRequest } from "../../support/networks/webhook-request.ts";
import { dropping, redirecting, saying, tripwire } from "../../support/servers/hostile.ts";

const channel = socialChannel();
const open = (url: string) => channel().link.media?.open(url) as Promise<UpstreamResult<UpstreamFile>>;

/** The address of a picture that a user sends, as the webhook has it. */
const pictureUrl = async (): Promise<string> => {
  const { delivery } = await channel().instagram.inbound.image({ to: ACCOUNT, from: USER });
  const [routed] = (await channel().plugin.receiver?.parse(webhookRequest(delivery.body))) ?? [];
  return routed?.event.kind === "received" ? (routed.event.media?.nativeId ?? "") : "";
};

describe("a file of the photo network", () => {
  test("is read at its address, without the token", async () => {
    const url = await pictureUrl();
    const opened = await open(url);
    if (!opened.ok) throw new Error("not opened");
    const { body, ...metadata } = opened.value;
    expect(metadata).toEqual({ contentType: "image/jpeg", sizeBytes: SAMPLES.image.bytes.length });
    expect(await new Response(body as ReadableStream).bytes()).toEqual(SAMPLES.image.bytes);
    expect(channel().instagram.journal.at(-1)?.headers).not.toHaveProperty("authorization");
  });

  test("is refused when its address is no longer good, or was altered", async () => {
    const url = await pictureUrl();
    expect(await open(`${url}0`)).toMatchObject({ ok: false, kind: "refused" });
    channel().host.clock.advance(DAY_MS);
    expect(await open(url)).toMatchObject({
      ok: false,
      kind: "refused",
      error: { message: "the network answered with HTTP 403 instead of the file" },
    });
  });

  test.each([429, 500, 503])("may be there later when its address answers with %i", async (status) => {
    await using place = await saying(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    expect(await open(place.url)).toMatchObject({ ok: false, kind: "unavailable" });
  });

  test("and when nobody answers there", async () => {
    await using place = await dropping();
    expect(await open(place.url)).toMatchObject({ ok: false, kind: "unavailable" });
  });

  test("is not fetched where a redirect leads, from a forbidden address, or from none", async () => {
    await using wire = await tripwire();
    await using lure = await redirecting(wire.url);
    expect(await open(lure.url)).toMatchObject({ ok: false, kind: "refused" });
    const http = createHttp({ allow: [], extraCa: undefined });
    const link = channel().plugin.open(recordingHost({ http, vault: vaultAt(0) }));
    for (const url of [wire.url, "https://10.0.0.1/file", "file:///etc/passwd", "mid.A", ""])
      expect(await link.media?.open(url)).toMatchObject({ ok: false, kind: "refused" });
    expect(wire.connections).toBe(0);
    await link.close();
    http.close();
  });
});
