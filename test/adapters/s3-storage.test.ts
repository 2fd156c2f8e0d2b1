import { expect, test } from "bun:test";
import { presigned } from "../../src/adapters/files/s3-signing.ts";
import { createS3Reader, createS3Store, type S3Limits, type S3Location } from "../../src/adapters/files/s3-storage.ts";
import { bodyOf, largeBytes } from "../support/files/file-store-suite.ts";
import { deaf, type Endpoint, hanging, healthy, saying } from "../support/servers/hostile.ts";
import { realTime } from "../support/waiting.ts";

// What needs no S3 service. The rest is in test/system, against one that checks signatures.

const PNG = { contentType: "image/png" };
const SECRETS = { accessKeyId: "the-access-key", secretAccessKey: "the-secret-key" };
const LIMITS: S3Limits = { answerMs: 1000, stallMs: 1000, checkTtlMs: 60_000, pageNames: 1000 };

const storeAt = ({ port }: Pick<Endpoint, "port">, limits: Partial<S3Limits> = {}, place: Partial<S3Location> = {}) =>
  createS3Store(
    { bucket: "media", prefix: "", endpoint: `http://127.0.0.1:${port}`, region: "us-east-1", ...SECRETS, ...place },
    { ...LIMITS, ...limits },
  );

const urlAt = (place: Partial<S3Location>): URL =>
  new URL(
    storeAt({ port: 1 }, {}, place).urlOf?.("a/b", { ttlSeconds: 600, filename: "a.png", contentType: "image/png" }) ??
      "",
  );

/** What each of several works says that fails. */
const faultsOf = async (works: Promise<unknown>[]): Promise<(string | undefined)[]> =>
  (await Promise.allSettled(works)).map((one) =>
    one.status === "rejected" ? (one.reason as Error).message : undefined,
  );

test("an address is signed as in the example that Amazon documents", () => {
  const url = presigned(
    {
      endpoint: "https://examplebucket.s3.amazonaws.com",
      region: "us-east-1",
      accessKeyId: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    },
    { path: "test.txt", query: {}, ttlSeconds: 86_400, atMs: Date.parse("2013-05-24T00:00:00Z") },
  );
  expect(url).toBe(
    "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request" +
      "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  );
});

test("an address names bucket, prefix and key, the region, ten minutes and what is to be answered", () => {
  const url = urlAt({ prefix: "a/prefix", region: "sa-east-1", endpoint: "https://files.example.com/s3" });
  expect(url.origin + url.pathname).toBe("https://files.example.com/s3/media/a/prefix/a/b");
  expect(url.searchParams.get("X-Amz-Credential")).toMatch(/^the-access-key\/\d{8}\/sa-east-1\/s3\/aws4_request$/);
  expect([url.searchParams.get("X-Amz-Expires"), url.searchParams.get("response-content-type")]).toEqual([
    "600",
    "image/png",
  ]);
  expect(url.searchParams.get("response-content-disposition")).toBe(
    `attachment; filename="a.png"; filename*=UTF-8''a.png`,
  );
  expect(url.href).not.toContain(SECRETS.secretAccessKey);
});

test("without an endpoint the service is Amazon's own of the region, by default us-east-1", () => {
  expect(urlAt({ endpoint: undefined, region: "sa-east-1" }).host).toBe("s3.sa-east-1.amazonaws.com");
  expect(urlAt({ endpoint: undefined, region: undefined }).host).toBe("s3.us-east-1.amazonaws.com");
});

test.each([
  ["never answers", hanging],
  ["never reads", deaf],
])("a service that %s fails what is asked of it in time, and lets the body go", async (_how, serve) => {
  await using endpoint = await serve();
  const store = storeAt(endpoint);
  let isClosed = false;
  async function* body() {
    try {
      yield* bodyOf(largeBytes());
    } finally {
      isClosed = true;
    }
  }
  const silence = "bucket media: no answer within 1000 ms";
  expect(
    await faultsOf([store.put("a/b", body(), PNG), store.read("a/b"), store.remove("a/b"), store.check()]),
  ).toEqual(["bucket media: nothing was taken for 1000 ms", silence, silence, silence]);
  expect(isClosed).toBe(true);
});

test("a body that is slow to come is no fault of the service", async () => {
  await using endpoint = await healthy();
  async function* body() {
    yield Buffer.from("abc");
    await realTime(1200);
    yield Buffer.from("def");
  }
  expect(await storeAt(endpoint, { stallMs: 1000 }).put("a/b", body(), PNG)).toMatchObject({ sizeBytes: 6 });
});

test("a service that is not there is reported with its bucket, without secrets", async () => {
  const gone = await healthy();
  await gone[Symbol.asyncDispose]();
  const store = storeAt(gone);
  const absence = "bucket media: nothing answers at the endpoint (ConnectionRefused)";
  expect(
    await faultsOf([store.put("a/b", bodyOf("abc"), PNG), store.read("a/b"), store.remove("a/b"), store.check()]),
  ).toEqual(Array(4).fill(absence));
});

test("an answer that repeats our secrets does not put them into the fault", async () => {
  const xml = `<Error><Code>AccessDenied</Code><Message>${Object.values(SECRETS).join()}</Message></Error>`;
  await using endpoint = await saying(
    `HTTP/1.1 403 Forbidden\r\nContent-Type: application/xml\r\nContent-Length: ${xml.length}\r\n\r\n${xml}`,
  );
  const fault = await storeAt(endpoint).put("a/b", bodyOf("abc"), PNG).catch(String);
  expect(fault).toBe("Error: bucket media: the access key may not do this (AccessDenied)");
});

/** A service that takes the first part of an upload, and fails each later one. `open`: the uploads that nobody ended. */
const failingLater = () => {
  const open = new Set<string>();
  const asked: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const url = new URL(request.url);
      const [part, id] = [url.searchParams.get("partNumber"), url.searchParams.get("uploadId")];
      asked.push(`${request.method} ${url.pathname} ${part ?? ""}`);
      if (request.method === "POST" && id === null) {
        open.add("the-upload");
        return new Response("<R><UploadId>the-upload</UploadId></R>", { headers: { "content-type": "text/xml" } });
      }
      await request.arrayBuffer();
      if (request.method === "PUT" && part === "1") return new Response("", { headers: { etag: '"one"' } });
      if (request.method === "GET" && url.searchParams.has("uploads"))
        return new Response(
          `<R><Upload><Key>other</Key><UploadId>no</UploadId></Upload>${[...open].map((one) => `<Upload><Key>a/b</Key><UploadId>${one}</UploadId></Upload>`).join("")}</R>`,
        );
      if (request.method === "DELETE" && id !== null) {
        open.delete(id);
        return new Response(null, { status: 204 });
      }
      return new Response("<Error><Code>Strange</Code></Error>", {
        status: 500,
        headers: { "content-type": "application/xml" },
      });
    },
  });
  return { port: server.port ?? 0, open, asked, [Symbol.asyncDispose]: () => server.stop(true) };
};

test.each([
  ["<Error><Code>InternalError</Code></Error>", "the service failed (InternalError)"],
  ["<Error><Code>Strange</Code></Error>", "the service refused it (Strange)"],
])("markup that a service answers is not repeated: %s", async (xml, meaning) => {
  await using endpoint = await saying(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/xml\r\nContent-Length: ${xml.length}\r\n\r\n${xml}`,
  );
  const fault = await storeAt(endpoint).put("a/b", bodyOf("abc"), PNG).catch(String);
  expect(fault).toBe(`Error: bucket media: ${meaning}`);
});

test("an upload that breaks is aborted at the service, and its fault holds no markup of the answer", async () => {
  await using service = failingLater();
  const fault = await storeAt(service)
    .put("a/b", bodyOf(Buffer.alloc(16 * 1024 * 1024, 7)), PNG)
    .catch(String);
  expect(fault).toStartWith("Error: bucket media: ");
  expect(fault).not.toContain("<");
  expect([service.open.size, service.asked.filter((one) => one.startsWith("DELETE"))]).toEqual([
    0,
    ["DELETE /media/a/b "],
  ]);
});

test("an upload whose body breaks, as at a stop, is aborted too", async () => {
  await using service = failingLater();
  async function* body() {
    yield Buffer.alloc(6 * 1024 * 1024, 7);
    throw new Error("stopped");
  }
  expect(await storeAt(service).put("a/b", body(), PNG).catch(String)).toStartWith("Error: ");
  expect(service.open.size).toBe(0);
});

test("G-021 frequent checks of whether it works ask the service once in a while", async () => {
  await using endpoint = await healthy();
  const store = storeAt(endpoint);
  await Promise.all(Array.from({ length: 50 }, () => store.check()));
  await store.check();
  expect(endpoint.requests.map((request) => request.split(" ", 2).join(" "))).toEqual([
    "PUT /media/recado-check",
    "DELETE /media/recado-check",
  ]);
  const forgetful = storeAt(endpoint, { checkTtlMs: -1 });
  for (let i = 0; i < 3; i++) await forgetful.check();
  expect(endpoint.requests).toHaveLength(8);
});

test("a listing that begins anew at every page ends with a fault, and is not taken for the whole", async () => {
  const page =
    "<ListBucketResult><IsTruncated>true</IsTruncated><Contents><Key>a/b.jpg</Key><Size>1</Size></Contents></ListBucketResult>";
  let pages = 0;
  using service = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => {
      pages += 1;
      return new Response(pages > 10 ? "" : page, { headers: { "content-type": "application/xml" } });
    },
  });
  const place = { bucket: "media", prefix: "", region: "us-east-1", ...SECRETS };
  const endpoint = `http://127.0.0.1:${service.port}`;
  const [said] = await faultsOf([createS3Reader({ ...place, endpoint }).names("a/b.")]);
  expect(said).toBe("the service lists the same names again and again");
  expect(pages).toBe(2);
});
