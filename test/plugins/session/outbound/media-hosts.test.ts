import { describe, expect, test } from "bun:test";
import type { BinaryNode } from "@whiskeysockets/baileys";
import type { ActiveSocket } from "../../../../plugins/session/active-socket.ts";
import { createMediaHosts } from "../../../../plugins/session/outbound/content/media-hosts.ts";
import { createHttp } from "../../../../src/adapters/http/http.ts";
import { recordingHost } from "../../../../src/conformance/recording-host.ts";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";

const NAMED = [
  "mmg.whatsapp.net",
  "media-gru2-1.cdn.whatsapp.net",
  "whatsapp.net",
  "evil.example.com",
  "whatsapp.net.evil.com",
  "evilwhatsapp.net",
  "mmg.whatsapp.net:444",
  "x@mmg.whatsapp.net",
  "evil.com/.whatsapp.net",
  "localhost:4000",
];

/** The hosts that are taken of those the server named. */
const hosts = (serverUrl: string | undefined) => {
  const host = recordingHost({ http: createHttp({ allow: [], extraCa: undefined }), vault: {} });
  let asked = 0;
  const answer: BinaryNode = {
    tag: "iq",
    attrs: {},
    content: [
      {
        tag: "media_conn",
        attrs: { auth: "a", ttl: "60" },
        content: NAMED.map((hostname) => ({ tag: "host", attrs: { hostname } })),
      },
    ],
  };
  const activeSocket = { sock: { query: async () => (++asked, answer) } } as unknown as ActiveSocket;
  return { host, activeSocket, media: createMediaHosts(host, serverUrl, host.http.guardedStream), asked: () => asked };
};

describe("hosts of files", () => {
  test("of the real network are those of the network alone", async () => {
    const { media, activeSocket } = hosts(undefined);
    expect((await media.permitOf(activeSocket, { isFresh: false })).hosts).toEqual([
      "mmg.whatsapp.net",
      "media-gru2-1.cdn.whatsapp.net",
    ]);
    expect(await media.fetchFrom()).toBe("mmg.whatsapp.net");
  });

  test.each(["wss://web.whatsapp.com/ws/chat", "wss://localhost.evil.com", "ws://127.0.0.1.evil.com/"])(
    "a server elsewhere, as %s, names none of its own",
    async (url) => {
      const { media, activeSocket } = hosts(url);
      expect((await media.permitOf(activeSocket, { isFresh: false })).hosts).not.toContain("localhost:4000");
    },
  );

  test.each(["ws://127.0.0.1:3000/ws/chat", "ws://localhost:3000", "ws://[::1]:3000/"])(
    "a server on this machine, as %s, names its own",
    async (url) => {
      const { media, activeSocket } = hosts(url);
      expect((await media.permitOf(activeSocket, { isFresh: false })).hosts).toContain("localhost:4000");
      expect(await media.fetchFrom()).toBe("mmg.whatsapp.net");
    },
  );

  test("are asked for again when the permit is over, and when it was not taken", async () => {
    const { media, activeSocket, host, asked } = hosts(undefined);
    await media.permitOf(activeSocket, { isFresh: false });
    host.clock.advance(60 * SECOND_MS - 1);
    await media.permitOf(activeSocket, { isFresh: false });
    expect(asked()).toBe(1);
    host.clock.advance(1);
    await media.permitOf(activeSocket, { isFresh: false });
    await media.permitOf(activeSocket, { isFresh: true });
    expect(asked()).toBe(3);
  });
});
