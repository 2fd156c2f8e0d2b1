import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Document } from "../../scripts/clients/document.ts";
import { packSdist, packWheel, sdistName, wheelName } from "../../scripts/clients/pack-python.ts";
import { pythonOf } from "../../scripts/clients/python.ts";
import { snake } from "../../scripts/clients/python-names.ts";
import { namedRoutes, PARTS } from "../../scripts/clients/typescript.ts";
import { sampleBodies } from "../../scripts/docs/events.ts";
import { documentedViews } from "../../src/apis/gateway/events/event-views.ts";
import { gatewayAudience } from "../../src/apis/gateway/events/render.ts";
import { platformAudience } from "../../src/apis/platform/events/render.ts";
import gateway from "../snapshots/openapi.gateway.json";
import platform from "../snapshots/openapi.platform.json";
import { ADMIN_TOKEN } from "../support/admin-token.ts";
import { ROOT } from "../support/apis/sdk-package.ts";
import { sendsOf, TO } from "../support/customers/customer.ts";
import { FILES, storedFile } from "../support/customers/media.ts";
import { fencesOf, pageText } from "../support/laws/pages.ts";
import { cuttingProxy } from "../support/servers/cutting-proxy.ts";
import { startFlakyProxy } from "../support/servers/flaky-proxy.ts";
import { tempFolders } from "../support/temp-folders.ts";
import { useCustomer } from "../support/use-world.ts";
import { untilTrue } from "../support/waiting.ts";
import { WEBHOOK_SECRET } from "../support/world.ts";

setDefaultTimeout(120_000);

/** The interpreter that has Debian's packages python3-httpx, python3-pydantic, python3-anyio and python3-pytest. */
const PYTHON = "/usr/bin/python3";
const TESTS = join(ROOT, "clients/python/tests");
const RELEASE = { version: "1.2.3", time: 1_700_000_000 };
const DOCUMENTS = { gateway: gateway as Document, platform: platform as Document };

const { newFolder, removeFolders } = tempFolders();
const { w, c } = useCustomer();
let wheel = "";
beforeAll(async () => {
  wheel = join(newFolder(), wheelName(RELEASE.version));
  await packWheel(RELEASE, wheel);
});
afterAll(removeFolders);

/** Starts Python with the wheel in its path; it ends with the scope. */
const startPython = (args: string[], env: Record<string, string> = {}, cwd = TESTS) => {
  const own = {
    PATH: process.env["PATH"] ?? "",
    PYTHONDONTWRITEBYTECODE: "1",
    RECADO_PACKAGE: wheel,
    PYTHONPATH: wheel,
  };
  const child = Bun.spawn([PYTHON, ...args], {
    cwd,
    env: { ...own, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let text = "";
  const out = (async () => {
    const decoder = new TextDecoder();
    for await (const part of child.stdout) text += decoder.decode(part, { stream: true });
    return text;
  })();
  const err = child.stderr.text();
  return {
    child,
    /** What it has printed so far. */
    printed: () => text,
    /** What it printed. @throws with what it said when it fails. */
    ended: async (): Promise<string> => {
      if ((await child.exited) !== 0) throw new Error(`${args.join(" ")}:\n${await out}${await err}`);
      return out;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
};

const python = async (args: string[], env?: Record<string, string>, cwd?: string): Promise<string> => {
  await using started = startPython(args, env, cwd);
  return await started.ended();
};
const pytest = (file: string, env: Record<string, string> = {}): Promise<string> =>
  python(["-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", file], env);
const connection = (url = w.app.gatewayUrl) => ({ GATEWAY_URL: url, API_KEY: c.key, PHONE: c.phone.id, TO });
const kept = (value: unknown): string => {
  const path = join(newFolder(), "given.json");
  writeFileSync(path, JSON.stringify(value));
  return path;
};

const routes = (["gateway", "platform"] as const).flatMap((api) =>
  PARTS[api].flatMap((part) =>
    namedRoutes(DOCUMENTS[api], part).map(({ operation, namespace, name }) => ({
      part: part.name,
      namespace: snake(namespace),
      name: snake(name),
      method: operation.method,
      path: operation.path.replaceAll(/\{\w+\}/g, "{}"),
      inPath: operation.inPath.length,
      isList: operation.list !== undefined,
    })),
  ),
);

test("every function asks its documented route, with threads and with asyncio", async () => {
  expect(routes.length).toBeGreaterThan(200);
  expect(await pytest("test_routes.py", { ROUTES: kept(routes) })).toContain(`${routes.length * 2 + 1} passed`);
});

type Named = { examples?: unknown[] };

test("the models take each example of the description and each event, and what a newer server may answer", async () => {
  const apis = ["gateway", "platform"] as const;
  const examples = apis.flatMap((api) =>
    Object.entries((DOCUMENTS[api].components?.["schemas"] ?? {}) as Record<string, Named>).flatMap(
      ([name, { examples: all = [] }]) => all.map((value) => ({ api, name, value })),
    ),
  );
  const events = apis.flatMap((api) => sampleBodies(api).map(({ body }) => ({ api, value: body })));
  expect(events.length).toBeGreaterThan(38);
  await pytest("test_models.py", { EXAMPLES: kept(examples), EVENTS: kept(events) });
});

test("refusals, other tries, timeouts and files, with threads and with asyncio", async () => {
  await pytest("test_requests.py");
});

describe("webhooks", () => {
  const FORMER = "the secret before, of 16 characters and more";
  const NOW_MS = 1_700_000_000_000;
  const audiences = {
    gateway: gatewayAudience(() => documentedViews("https://a.example")),
    platform: platformAudience(() => "https://a.example"),
  };
  const body = JSON.stringify({ id: "1", type: "message:received", data: { content: { text: "Olá 👋" } } });
  type Signing = { api?: keyof typeof audiences; raw?: string; previousSecret?: string };
  const signed = (secret = WEBHOOK_SECRET, { api = "gateway", raw = body, previousSecret }: Signing = {}) =>
    audiences[api].headers({
      eventId: "1",
      eventType: "message:received",
      body: raw,
      attempt: 1,
      atMs: NOW_MS,
      secret,
      previousSecret,
    });
  const cutOf = (api: keyof typeof audiences) => {
    const raw = audiences[api].cut(
      JSON.stringify({ id: "1", type: "message:received", messageId: "2", data: { messageId: "2", text: "a" } }),
    );
    return { raw, headers: signed(WEBHOOK_SECRET, { api, raw }) };
  };

  test("are verified as the server signs them, and nothing else is", async () => {
    await c.sent();
    const [delivery] = await c.hook.received(1);
    const whsec = `whsec_${Buffer.from("a secret of 24 bytes at all").toString("base64")}`;
    const vectors = {
      body,
      now: NOW_MS / 1000,
      secret: WEBHOOK_SECRET,
      former: FORMER,
      gateway: signed(),
      platform: signed(WEBHOOK_SECRET, { api: "platform" }),
      rotated: signed(WEBHOOK_SECRET, { previousSecret: FORMER }),
      signed_by_former: signed(FORMER),
      whsec: { secret: whsec, headers: signed(whsec) },
      not_json: signed(WEBHOOK_SECRET, { raw: "ok" }),
      cut: { gateway: cutOf("gateway"), platform: cutOf("platform") },
      delivery: { raw: delivery?.raw, headers: delivery?.headers, now: w.clock.now() / 1000 },
    };
    await pytest("test_webhooks.py", { VECTORS: kept(vectors) });
  });
});

test("against a server: sends, lists, files, refusals and the stream, with threads and with asyncio", async () => {
  const { id } = await storedFile(w, c, { kind: "document", bytes: FILES.pdf, mimeType: "application/pdf" });
  await c.sent();
  const { token } = await w.institution("ENTERPRISE");
  let isOver = false;
  let failure: unknown;
  const running = pytest("test_server.py", {
    ...connection(),
    MEDIA: id,
    PNG: Buffer.from(FILES.png).toString("hex"),
    ADMIN_TOKEN,
    PLATFORM_URL: `${w.app.url}/platform`,
    PLATFORM_KEY: await w.platformKey(token),
  })
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      isOver = true;
    });
  await untilTrue(async () => {
    await w.settle();
    return isOver;
  }, 100_000);
  await running;
  expect(failure).toBeUndefined();
});

const KINDS = ["sync", "async"] as const;

test.each(KINDS)("%s: a message whose answer is lost twice is sent once", async (kind) => {
  await using proxy = await startFlakyProxy(w.app.gatewayUrl);
  proxy.next("lost", "lost");
  const printed = await python(["send.py", kind], connection(proxy.url));
  expect(printed.trim()).toMatch(/^[0-9a-f-]{36}$/);
  expect(proxy.seen).toHaveLength(3);
  await w.settle();
  expect(sendsOf(w, c)).toHaveLength(1);
});

const receive = async (text: string) => {
  await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text });
  await w.settle();
};
const followers = () => w.app.env.stream.count(c.accountId as never);

test.each(KINDS)("%s: a stream that breaks off again and again loses no event and brings none twice", async (kind) => {
  const toPort = Number(new URL(w.app.url).port);
  const proxy = await cuttingProxy({ toPort, marker: ": connected", afterBytes: 3000 });
  try {
    const words = Array.from({ length: 20 }, (_, index) => `word${index}`);
    await using started = startPython(["follow.py", kind], { ...connection(`${proxy.url}/gateway`), COUNT: "20" });
    await untilTrue(() => followers() > 0);
    // what waits for the stream must not be more than passes before the next cut
    for (const word of words) {
      await receive(word);
      await untilTrue(() => started.printed().includes(`event ${word}\n`));
    }
    const lines = (await started.ended()).trim().split("\n");
    expect(lines.filter((line) => line.startsWith("event "))).toEqual(words.map((word) => `event ${word}`));
    expect(lines.filter((line) => line === "lost RecadoConnectionError").length).toBeGreaterThan(1);
  } finally {
    await proxy.close();
  }
});

describe("the packages", () => {
  test("are the same bytes for the same source, and Python reads both", async () => {
    const folder = newFolder();
    const [again, first, second] = ["again.whl", sdistName(RELEASE.version), "second.tar.gz"].map((name) =>
      join(folder, name),
    );
    await packWheel(RELEASE, again ?? "");
    for (const path of [first, second]) await packSdist(RELEASE, path ?? "");
    const same = async (a = "", b = "") => Buffer.from(await Bun.file(a).bytes()).equals(await Bun.file(b).bytes());
    expect([await same(wheel, again), await same(first, second)]).toEqual([true, true]);
    expect(await python(["-m", "zipfile", "-t", wheel])).toContain("Done testing");
    expect(await python(["-m", "tarfile", "-l", first ?? ""])).toContain("recado-1.2.3/pyproject.toml");
  });

  const READS = `
import base64, csv, hashlib, io, sys, zipfile
from importlib.metadata import PathDistribution
wheel = zipfile.ZipFile(sys.argv[1])
record = [name for name in wheel.namelist() if name.endswith("/RECORD")][0]
rows = {name: (digest, size) for name, digest, size in csv.reader(io.StringIO(wheel.read(record).decode()))}
assert set(rows) == set(wheel.namelist()), set(rows) ^ set(wheel.namelist())
for name, (digest, size) in rows.items():
    content = wheel.read(name)
    made = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    assert name == record or (digest, size) == (made, str(len(content))), name
found = PathDistribution(zipfile.Path(wheel, record.rpartition("/")[0] + "/"))
print(found.metadata["Name"], found.version, found.requires)
import recado
print(sys.argv[1] in recado.__file__)
`;

  test("the wheel has a record of all its files, its metadata, and is imported from where it lies", async () => {
    const printed = await python(["-c", READS, wheel], {}, newFolder());
    expect(printed).toBe("recado 1.2.3 ['httpx>=0.23', 'pydantic>=1.10,<3']\nTrue\n");
  });
});

test("the generated files are what the committed descriptions say", async () => {
  for (const api of ["gateway", "platform"] as const)
    for (const [path, text] of Object.entries(pythonOf(api, DOCUMENTS[api])))
      expect((await Bun.file(join(ROOT, "clients/python", path)).text()) === text).toBe(true);
});

test("no line that is written by hand is longer than 120 characters", async () => {
  for (const path of new Bun.Glob("{recado,tests}/*.py").scanSync({ cwd: join(ROOT, "clients/python") })) {
    const text = await Bun.file(join(ROOT, "clients/python", path)).text();
    if (!text.startsWith("# Written by"))
      expect([path, text.split("\n").filter((line) => line.length > 120)]).toEqual([path, []]);
  }
});

const programOf = (name: string): string => {
  const folder = newFolder();
  const text = fencesOf(pageText("docs/clients.md")).find(({ info }) => info === name)?.text ?? "";
  writeFileSync(join(folder, name), text);
  return folder;
};

test("the program of the page lists the phones and sends a message", async () => {
  const printed = await python(["send.py"], connection(), programOf("send.py"));
  expect(printed).toStartWith(`${c.phone.id} `);
  await w.settle();
  expect(sendsOf(w, c)).toHaveLength(1);
});

test("the bot of the page has at most 35 lines, answers ping and nothing else, and answers none twice after a restart", async () => {
  const bot = fencesOf(pageText("docs/clients.md")).find(({ info }) => info === "bot.py")?.text ?? "";
  expect(bot.trim().split("\n").length).toBeLessThanOrEqual(35);
  const folder = programOf("bot.py");
  const start = () => startPython(["bot.py"], { GATEWAY_URL: w.app.gatewayUrl, API_KEY: c.key }, folder);
  const isFollowed = () => followers() > 0;
  const settled = (count: number) =>
    untilTrue(async () => {
      await w.settle();
      return sendsOf(w, c).length === count;
    });
  {
    await using first = start();
    await untilTrue(isFollowed);
    await receive("hello");
    await receive("Ping");
    await settled(1);
    expect(first.child.exitCode).toBeNull();
  }
  await untilTrue(() => !isFollowed());
  await receive("ping while it was away");
  await receive("ping");
  await using second = start();
  await settled(2);
  await receive("ping");
  await settled(3);
  expect(second.child.exitCode).toBeNull();
});
