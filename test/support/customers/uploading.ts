import { afterAll, beforeAll, beforeEach } from "bun:test";
import { readdirSync } from "node:fs";
import { tempDirOf } from "../../../src/adapters/files/files.ts";
import { fieldsOf } from "../refusals.ts";
import { type Answer, startWorld, type World } from "../world.ts";
import { type Customer, newCustomer } from "./customer.ts";
import { FILES } from "./media.ts";

export const MIB = 1024 * 1024;
/** The app that tokens of the simulated network belong to. */
export const APP_ID = "670000000000001";

type Call = { body?: object; phoneId?: string | null; method?: string };

/**
 * A world, a new customer for every test and a host of the customer's files, for the tests of a file about uploads.
 */
export const uploading = () => {
  let w: World;
  let c: Customer;
  const host = fileHost();
  beforeAll(async () => {
    w = await startWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
  });
  beforeEach(async () => {
    c = await newCustomer(w);
  });
  afterAll(async () => {
    await host.stop();
    await w.stop();
  });

  /** A call in the name of the customer's phone, of another phone, or (null) without one. */
  const call = (path: string, { body, phoneId = c.phone.id, method = "POST" }: Call = {}): Promise<Answer> =>
    w.gateway(path, {
      key: c.key,
      method,
      ...(body ? { body } : {}),
      headers: phoneId === null ? {} : { "x-phone-id": phoneId },
    });
  return {
    host,
    call,
    world: () => w,
    customer: () => c,
    upload: (body: object = {}) =>
      call("/v1/media/upload", { body: { mediaUrl: host.url("a.png"), mimeType: "image/png", ...body } }),
    resumable: (body: object = {}) =>
      call("/v1/media/upload/resumable", {
        body: { mediaUrl: host.url("a.pdf"), mimeType: "application/pdf", fileName: "a.pdf", appId: APP_ID, ...body },
      }),
    /** The temp files on the server's disk. */
    tempFiles: () => readdirSync(tempDirOf(w)),
    /** The uploads of the customer's phone to the network. */
    given: () =>
      [...w.graph.media.values()].filter(
        ({ phoneNumberId, origin }) => phoneNumberId === c.phone.phoneNumberId && origin === "upload",
      ),
  };
};

/** The refusal of `mediaUrl` if it is the only refused field, else the whole answer. */
export const mediaUrlSays = (answer: Answer): string =>
  fieldsOf(answer).join() === "mediaUrl" ? answer.body.error.details.fieldErrors.mediaUrl[0] : answer.text;

/** A customer's files on 127.0.0.1, and the requests for them. */
const fileHost = () => {
  const asked: string[] = [];
  const files: Record<string, () => Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> = {
    "a.png": () => FILES.png,
    "a.pdf": () => FILES.pdf,
    empty: () => new Uint8Array(),
    "page.png": () => new Uint8Array(Buffer.from("<!doctype html><title>Erro 404</title>")),
    "error.png": () => new Uint8Array(Buffer.from('{"error":"not found"}')),
    "letters.png": () => new Uint8Array(Buffer.alloc(500, "a")),
    "5MB": () => new Uint8Array(5 * MIB),
    over5MB: () => new Uint8Array(5 * MIB + 1),
    over16MB: () => new Uint8Array(16 * MIB + 1),
    over100MB: () => poured(100 * MIB + 1),
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const path = new URL(request.url).pathname.slice(1);
      asked.push(path);
      const body = files[path]?.();
      return body ? new Response(body) : new Response("nothing here", { status: 404 });
    },
  });
  return { asked, url: (path: string) => `http://127.0.0.1:${server.port}/${path}`, stop: () => server.stop(true) };
};

/** So many bytes, without an announced length. */
const poured = (sizeBytes: number): ReadableStream<Uint8Array> => {
  let left = sizeBytes;
  return new ReadableStream({
    pull(controller) {
      const chunk = new Uint8Array(Math.min(left, 256 * 1024));
      left -= chunk.length;
      controller.enqueue(chunk);
      if (left === 0) controller.close();
    },
  });
};
