import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTempFiles } from "../../../../src/adapters/files/temp-files.ts";
import { createVoice } from "../../../../src/adapters/voice/voice.ts";
import type { Content } from "../../../../src/contract/content/content.ts";
import { recording } from "../../../support/files/recordings.ts";
import { bandMp3, toneWav } from "../../../support/files/sounds.ts";
import { truncating } from "../../../support/servers/hostile.ts";
import { fileServer } from "../../../support/session/file-server.ts";
import { type Session, sendingSession } from "../../../support/session/sending.ts";
import { tempFolders } from "../../../support/temp-folders.ts";

// each starts a process of this program

const { newFolder, removeFolders } = tempFolders();
let session: Session;
beforeAll(async () => {
  const { makeVoice } = createVoice({ writeTempFile: createTempFiles(newFolder()) });
  session = await sendingSession({ makeVoice: (body) => makeVoice("an-account", body) });
});
afterAll(async () => {
  await session.stop();
  removeFolders();
});

const voiceOf = (mediaUrl: string): Content => ({ type: "audio", content: { mediaUrl, ptt: true } });
const serving = (body: Uint8Array<ArrayBuffer>, contentType: string) =>
  fileServer(() => new Response(body, { headers: { "content-type": contentType } }));

test.each([
  ["MP3", bandMp3(400), "audio/mpeg", 4],
  ["WAV", toneWav({ seconds: 2.5 }), "audio/wav", 3],
  ["the WebM of a browser", recording("browser.webm"), "audio/webm;codecs=opus", 1],
  ["MP3 that is called Ogg", recording("cbr.mp3"), "audio/ogg; codecs=opus", 1],
  ["Ogg that is called MP3", recording("opusenc.opus"), "audio/mpeg", 1],
] as const)("W26-10 %s arrives as a voice note with its length and its waveform", async (_, bytes, type, seconds) => {
  const ana = session.contact();
  const key = session.newKey();
  await using server = serving(bytes, type);
  expect(await session.send(voiceOf(`${server.url}/a`), { to: `pn:${ana.pn}`, key })).toEqual({ ok: true, key });
  const { message, mediatype } = await ana.until(({ id }) => id === key);
  expect(mediatype).toBe("ptt");
  expect(message.audioMessage).toMatchObject({ ptt: true, mimetype: "audio/ogg; codecs=opus", seconds });
  expect(message.audioMessage?.waveform).toHaveLength(64);
  expect(Math.max(...(message.audioMessage?.waveform ?? []))).toBe(100);
});

test("W26-10 G-320 a telephone codec that is not decoded is refused by its name, with the formats that are, and nothing is sent", async () => {
  const ana = session.contact();
  await using server = serving(recording("g726.wav"), "audio/wav");
  const before = session.net.stat.stanzas["message"];
  expect(await session.send(voiceOf(`${server.url}/a.wav`), { to: `pn:${ana.pn}` })).toMatchObject({
    kind: "refused",
    code: "INVALID_PTT_FORMAT",
    reason:
      "a voice note (ptt) must be MP3, WAV, AMR, or Opus in Ogg, WebM or MP4: the file is G.726 in WAV; without ptt it goes out as it is",
  });
  expect(session.net.stat.stanzas["message"]).toBe(before);
});

test("W26-10 a file without an announced size is read up to its limit", async () => {
  const ana = session.contact();
  let left = 17;
  await using server = fileServer(
    () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            if (left-- > 0) controller.enqueue(new Uint8Array(1024 * 1024));
            else controller.close();
          },
        }),
      ),
  );
  expect(await session.send(voiceOf(`${server.url}/a.wav`), { to: `pn:${ana.pn}` })).toMatchObject({
    kind: "refused",
    code: "UPSTREAM_BAD_REQUEST",
    reason: expect.stringContaining("more than"),
  });
});

test("W26-10 a host that breaks off is tried again later", async () => {
  const ana = session.contact();
  await using server = await truncating();
  expect(await session.send(voiceOf(`${server.url}/a.wav`), { to: `pn:${ana.pn}` })).toMatchObject({
    kind: "retry",
    code: "UPSTREAM_UNAVAILABLE",
  });
});
