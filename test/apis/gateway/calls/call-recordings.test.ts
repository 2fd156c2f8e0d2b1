import { beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { useCalls } from "../../../support/customers/calls.ts";
import { rowsOf } from "../../../support/customers/customer.ts";
import { filesOf } from "../../../support/customers/media.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import type { Answer } from "../../../support/world.ts";

const MIB = 1024 * 1024;

const { w, c, calls } = useCalls();
let callId: string;
let wacid: string;
beforeEach(async () => {
  ({ id: callId, wacid } = await calls.placed());
});

const upload = (raw: string, contentType: string | null = "audio/ogg", id = callId): Promise<Answer> =>
  calls.ask(`/${encodeURIComponent(id)}/recording`, {
    method: "POST",
    raw,
    headers: { "content-type": contentType ?? "" },
  });
const stored = async (raw: string): Promise<any> => {
  const { status, body, text } = await upload(raw);
  if (status !== 201) throw new Error(`not stored: ${status} ${text}`);
  return body;
};
const linkOf = async (id = callId): Promise<string> => {
  const { status, headers } = await calls.ask(`/${encodeURIComponent(id)}/recording`);
  const location = headers.get("location");
  if (status !== 302 || location === null) throw new Error(`no address but ${status}`);
  return location;
};
const filesOfAccount = () => filesOf(w).filter((file) => file.startsWith(c.accountId));

/** A body of so many bytes, whose length nobody says beforehand. */
const poured = (sizeBytes: number) => {
  let left = sizeBytes;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = new Uint8Array(Math.min(left, 256 * 1024));
      left -= chunk.length;
      if (chunk.length > 0) controller.enqueue(chunk);
      if (left === 0) controller.close();
    },
  });
};
const uploadRaw = (body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | undefined): Promise<Response> =>
  fetch(`${w.app.url}/gateway/v1/calls/${callId}/recording`, {
    method: "POST",
    headers: { "x-api-key": c.key, "content-type": "audio/ogg" },
    ...(body ? { body } : {}),
  });

describe("keeping a recording", () => {
  test("X-232 X-235 it is answered with what was stored, shown with its call, and had at a signed address", async () => {
    const { status, body } = await upload("the sound of a call", "audio/ogg; codecs=opus");
    const expected = {
      objectKey: expect.stringMatching(new RegExp(`^${c.accountId}/recordings/${callId}/[0-9a-f-]{36}$`)),
      sizeBytes: 19,
      contentType: "audio/ogg; codecs=opus",
    };
    expect({ status, body }).toEqual({ status: 201, body: { callId, ...expected } });
    expect((await calls.get(callId)).recording).toEqual({
      objectKey: body.objectKey,
      sizeBytes: 19,
      contentType: "audio/ogg; codecs=opus",
    });
    const file = await fetch(await linkOf());
    expect([
      file.status,
      await file.text(),
      file.headers.get("content-type"),
      file.headers.get("content-length"),
    ]).toEqual([200, "the sound of a call", "audio/ogg; codecs=opus", "19"]);
    expect([file.headers.get("x-content-type-options"), file.headers.get("cache-control")]).toEqual([
      "nosniff",
      "private, no-store",
    ]);
  });

  test("X-218 X-230 the call may be named by the network's id", async () => {
    expect((await upload("sound", "audio/ogg", wacid)).body).toMatchObject({ callId, sizeBytes: 5 });
    expect(await (await fetch(await linkOf(wacid))).text()).toBe("sound");
  });

  test.each(["audio/webm", "audio/mp4", "audio/mpeg", "audio/mp3", "audio/ogg", "Audio/WebM;codecs=opus"])(
    "X-230 GAP-X27 %s is taken",
    async (contentType) => {
      expect((await upload("sound", contentType)).body).toMatchObject({ contentType, sizeBytes: 5 });
    },
  );

  test.each(["text/plain", "audio/wav", "video/mp4", "application/json", "audio/ogg, text/html", "audio", null])(
    "X-230 GAP-X27 %s is refused, and nothing is kept",
    async (contentType) => {
      expect(fieldsOf(await upload("sound", contentType))).toEqual(["Content-Type"]);
      expect([(await calls.get(callId)).recording, filesOfAccount()]).toEqual([null, []]);
    },
  );

  test("X-233 an empty one is refused, with and without a body", async () => {
    expect(gatewaySays(await upload(""))).toBe("400 RECORDING_EMPTY");
    const answers = [await uploadRaw(undefined), await uploadRaw(poured(0))];
    for (const answer of answers)
      expect([answer.status, ((await answer.json()) as any).error.code]).toEqual([400, "RECORDING_EMPTY"]);
    expect(filesOfAccount()).toEqual([]);
  });

  test("X-231 GAP-X27 50 MB are taken, a byte more is refused, whether or not the length is declared, and nothing is kept", async () => {
    for (const body of [new Uint8Array(50 * MIB + 1), poured(50 * MIB + 1)]) {
      const answer = await uploadRaw(body);
      expect([answer.status, ((await answer.json()) as any).error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    }
    expect([(await calls.get(callId)).recording, filesOfAccount()]).toEqual([null, []]);
    expect(await (await uploadRaw(poured(50 * MIB))).json()).toMatchObject({ sizeBytes: 50 * MIB });
  });

  test("X-232 GAP-X27 a second one takes the place of the first, whose file and address are gone", async () => {
    const first = await stored("the first");
    const address = await linkOf();
    const second = await stored("the second one");
    await w.settle();
    expect(second.objectKey).not.toBe(first.objectKey);
    expect(filesOfAccount()).toEqual([second.objectKey]);
    expect((await fetch(address)).status).toBe(404);
    expect(await (await fetch(await linkOf())).text()).toBe("the second one");
  });

  test("X-230 a call that the network never knew has nothing to record", async () => {
    w.graph.calls.permit({ phoneNumberId: c.phone.phoneNumberId, user: "5511999990002", status: "no_permission" });
    await calls.place({ to: "5511999990002" });
    const [failed] = (await calls.ask("?status=FAILED")).body.items;
    expect(gatewaySays(await upload("sound", "audio/ogg", failed.id))).toBe("409 CALL_INVALID_STATE");
    expect(filesOfAccount()).toEqual([]);
  });

  test("X-231 what breaks off is not kept", async () => {
    const breaking = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(1000)),
      pull: (controller) => controller.error(new Error("the line is dead")),
    });
    await uploadRaw(breaking).catch(() => undefined);
    await w.settle();
    expect([(await calls.get(callId)).recording, filesOfAccount()]).toEqual([null, []]);
  });
});

describe("having it again", () => {
  test("X-236 a call without one", async () => {
    expect(gatewaySays(await calls.ask(`/${callId}/recording`))).toBe("404 RECORDING_NOT_FOUND");
  });

  test("X-235 the address is good for ten minutes, and for this recording alone", async () => {
    await stored("sound");
    const address = await linkOf();
    const altered = [
      address.replace(/sig=./, "sig=_"),
      address.replace(/exp=\d/, "exp=9"),
      address.replace(callId, "00000000-0000-4000-8000-000000000000"),
      address.split("?")[0] ?? "",
    ];
    for (const one of altered) expect((await fetch(one)).status).toBe(403);
    await w.advance(10 * MINUTE_MS - 1000);
    expect((await fetch(address)).status).toBe(200);
    await w.advance(1000);
    expect((await fetch(address)).status).toBe(403);
  });

  test("X-237 it is deleted with its file 90 days after it was stored, whenever the call was", async () => {
    const other = (await calls.placed()).id;
    await stored("sound");
    await w.advance(30 * DAY_MS);
    const later = (await upload("later", "audio/ogg", other)).body;
    await w.advance(60 * DAY_MS - 1);
    expect((await fetch(await linkOf())).status).toBe(200);
    await w.advance(1);
    expect(gatewaySays(await calls.ask(`/${callId}/recording`))).toBe("404 RECORDING_NOT_FOUND");
    await w.advance(HOUR_MS);
    expect([(await calls.get(callId)).recording, filesOfAccount()]).toEqual([null, [later.objectKey]]);
    expect(await rowsOf(w, "SELECT recording FROM calls WHERE id = ?1", [callId])).toEqual([{ recording: null }]);
    expect(await (await fetch(await linkOf(other))).text()).toBe("later");
  }, 60_000); // every hour of three months has its own work

  test("X-237 it goes with its phone; that there was a call stays", async () => {
    await stored("sound");
    const address = await linkOf();
    await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" });
    await w.settle();
    expect([filesOfAccount(), (await calls.get(callId)).recording, (await fetch(address)).status]).toEqual([
      [],
      null,
      404,
    ]);
    expect(gatewaySays(await upload("another"))).toBe("404 PHONE_NOT_FOUND");
    expect(filesOfAccount()).toEqual([]);
  });
});
