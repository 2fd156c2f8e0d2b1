import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { S3Location } from "../../../src/adapters/files/s3-storage.ts";
import { mediaStorage } from "../../../src/doctor/machine/media.ts";
import { places } from "../../support/processes/doctor.ts";
import { type Swift, startSwift } from "./swift.ts";

let swift: Swift;
beforeAll(async () => {
  swift = await startSwift();
}, 60_000);
afterEach(() => swift.setAhead(0));
afterAll(() => swift.stop());
const { report } = places();

const found = ({
  secretAccessKey = swift.place.secretAccessKey,
  bucket = swift.place.bucket,
}: Partial<S3Location> = {}) => {
  const { endpoint = "", region = "", accessKeyId } = swift.place;
  const place = `s3://${bucket}/a/prefix?endpoint=${encodeURIComponent(endpoint)}&region=${region}`;
  return report(mediaStorage, {
    RECADO_MEDIA: place,
    RECADO_S3_ACCESS_KEY_ID: accessKeyId,
    RECADO_S3_SECRET_ACCESS_KEY: secretAccessKey,
  });
};

test("a bucket that takes files, gives them back and opens its links is ok, and nothing stays in it", async () => {
  expect(await found()).toMatchObject({
    outcome: "ok",
    found: "bucket media stores files, returns them and signs links that open",
  });
  await swift.holds(0);
}, 30_000);

test("at fault: a wrong secret, which is not repeated", async () => {
  const said = await found({ secretAccessKey: "another-canary" });
  expect(said).toMatchObject({
    outcome: "fault",
    found: expect.stringContaining("SignatureDoesNotMatch"),
    remedy: expect.stringContaining("RECADO_MEDIA"),
  });
  expect(JSON.stringify(said)).not.toContain("canary");
}, 30_000);

test("at fault: there is no such bucket", async () => {
  expect(await found({ bucket: "elsewhere" })).toMatchObject({
    outcome: "fault",
    found: expect.stringContaining("there is no such bucket"),
  });
}, 30_000);

test("at fault: a clock that is an hour behind the service's, and nothing stays in the bucket", async () => {
  await swift.setAhead(3600);
  expect(await found()).toMatchObject({
    outcome: "fault",
    found: expect.stringContaining("RequestTimeTooSkewed"),
    remedy: expect.stringContaining("clock"),
  });
  await swift.holds(0);
}, 30_000);
