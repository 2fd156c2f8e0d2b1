import { describe, expect, test } from "bun:test";
import { SAMPLES } from "../../../../src/conformance/samples.ts";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, receivedBy, sendsOf } from "../../../support/customers/customer.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

const voiceNote = (more: object = {}) => ({ type: "audio", content: { ...SAMPLES.audio, ptt: true, ...more } });
const UNSUPPORTED = "Unsupported Voice mime type audio/opus. Please use one of audio/ogg; codecs=opus, audio/mpeg.";

/** The network takes the message and refuses its file in a failed status. */
const refusedAfterwards = async (input: Record<string, unknown>, details: string) => {
  w.graph.failNext(1, { kind: "failed-status", code: 131053, details }, { phoneNumberId: c.phone.phoneNumberId });
  const id = await c.sent(input);
  await w.graph.webhooks.settled();
  await w.settle();
  return c.message(id);
};

describe("a voice note in a wrong format ends FAILED with INVALID_PTT_FORMAT", () => {
  test.each(["audio/mpeg", "audio/opus", "audio/ogg; codecs=vorbis", "video/ogg", "mp3"])(
    "G-320 when it is said to be %s: the network is not asked",
    async (mimeType) => {
      const id = await c.sent(voiceNote({ mimeType }));
      expect(await c.message(id)).toMatchObject({
        status: "FAILED",
        failedReason: `[INVALID_PTT_FORMAT] a voice note must be audio/ogg; codecs=opus, not ${mimeType}`,
      });
      expect(receivedBy(c.hook, "message:status")).toMatchObject([
        { messageId: id, status: "failed", errors: [{ code: 0, title: "INVALID_PTT_FORMAT" }] },
      ]);
      await w.advance(DAY_MS);
      expect(sendsOf(w, c)).toEqual([]);
    },
  );

  test("G-320 when the network says so in a failed status", async () => {
    expect(await refusedAfterwards(voiceNote(), UNSUPPORTED)).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringMatching(/^\[INVALID_PTT_FORMAT\] \(#131053\) .*audio\/opus/),
    });
    expect(receivedBy(c.hook, "message:status").at(-1)).toMatchObject({
      status: "failed",
      errors: [{ code: 131053, title: "INVALID_PTT_FORMAT" }],
    });
  });

  test("G-320 G-642 when the network says so at once, and still does at the fifth try", async () => {
    w.graph.failNext(
      5,
      { kind: "error", code: 131053, details: UNSUPPORTED },
      { phoneNumberId: c.phone.phoneNumberId },
    );
    const id = await c.sent(voiceNote());
    expect((await c.message(id)).status).toBe("QUEUED");
    for (const seconds of [2, 10, 30, 120]) await w.advance(seconds * 1000);
    expect(await c.message(id)).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringMatching(/^\[INVALID_PTT_FORMAT\] \(#131053\) /),
    });
    expect(sendsOf(w, c)).toHaveLength(5);
  });
});

describe("what is no wrong format of a voice note is not called one", () => {
  test.each(["audio/ogg", "audio/ogg; codecs=opus", 'AUDIO/OGG;codecs="opus"', undefined])(
    "G-318 one that is said to be %p is sent",
    async (mimeType) => {
      expect(await c.message(await c.sent(voiceNote(mimeType ? { mimeType } : {})))).toMatchObject({
        status: "SENT",
        failedReason: null,
      });
      expect(sendsOf(w, c).at(-1).audio).toEqual({ link: SAMPLES.audio.mediaUrl, voice: true });
    },
  );

  test("G-318 audio that is a file may be of any format", async () => {
    const id = await c.sent({ type: "audio", content: { ...SAMPLES.audio, mimeType: "audio/mpeg" } });
    expect((await c.message(id)).status).toBe("SENT");
  });

  test("a format that is refused of an audio file is UPSTREAM_BAD_REQUEST, and so is a voice note that could not be fetched", async () => {
    const failed = { status: "FAILED", failedReason: expect.stringMatching(/^\[UPSTREAM_BAD_REQUEST\] \(#131053\) /) };
    expect(await refusedAfterwards({ type: "audio", content: SAMPLES.audio }, UNSUPPORTED)).toMatchObject(failed);
    expect(
      await refusedAfterwards(
        voiceNote(),
        "Downloading media from weblink failed with http code 404, status message Not Found",
      ),
    ).toMatchObject(failed);
  });
});
