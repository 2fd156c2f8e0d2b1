import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { makeBaseRoot } from "../../../scripts/release/image-root.ts";
import { VERSION } from "../../../src/version.ts";
import { debianPackages } from "../../support/processes/debian-packages.ts";
import { processes } from "../../support/processes/process.ts";
import { startGateway } from "../../support/session/gateway-process.ts";
import { previewFormat } from "../../support/session/picture.ts";

// The binary for arm64 on the processor that qemu emulates, with the libraries that the image for arm64 has.

const ROOT = resolve(import.meta.dir, "../../..");
const LIBRARIES = mkdtempSync(join(tmpdir(), "recado-arm64-"));
const PROGRAM = ["qemu-aarch64-static", "-L", LIBRARIES, join(ROOT, "dist/linux-arm64/recado")];
const tools = processes(afterAll, PROGRAM);
const { run } = tools;
afterAll(() => rmSync(LIBRARIES, { recursive: true, force: true }));

beforeAll(async () => {
  await makeBaseRoot(LIBRARIES, "arm64", await debianPackages("arm64"));
  const built = Bun.spawn([process.execPath, "scripts/build.ts", "--target", "linux-arm64"], {
    cwd: ROOT,
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await built.exited) !== 0) throw new Error("the binary for arm64 could not be built");
}, 120_000);

test("starts, and prints its version and its settings", async () => {
  const { code, out, err } = await run(["version", "--json"]);
  expect([code, err, JSON.parse(out)]).toEqual([
    0,
    "",
    expect.objectContaining({ version: VERSION, bun: Bun.version }),
  ]);
  expect((await run(["config"])).out).toMatch(/^RECADO_LISTEN +127\.0\.0\.1:8080 +default$/m);
}, 60_000);

test("serves: the database, passwords, a session, and the preview of a picture", async () => {
  const gateway = await startGateway(tools);
  try {
    const { url } = gateway.server;
    expect(await (await fetch(`${url}/gateway/health/ready`)).json()).toMatchObject({ status: "ready" });
    const post = (path: string, body: object) =>
      fetch(`${url}/platform/v1${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    expect(
      (
        await post("/auth/register", {
          name: "Ana",
          email: "ana@example.com",
          password: "password-1",
          institutionName: "Padaria",
        })
      ).status,
    ).toBe(201);
    expect((await post("/auth/login", { email: "ana@example.com", password: "password-2" })).status).toBe(401);
    expect((await post("/auth/login", { email: "ana@example.com", password: "password-1" })).status).toBe(200);
    expect(await previewFormat(gateway)).toBe("jpeg");
  } finally {
    await gateway.end();
  }
}, 120_000);
