import { afterAll, afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openImports } from "../../scripts/build/bundling.ts";
import { pdfOf } from "../support/files/documents.ts";
import { processes } from "../support/processes/process.ts";
import { startGateway } from "../support/session/gateway-process.ts";
import { previewFormat } from "../support/session/picture.ts";

const ROOT = resolve(import.meta.dir, "../..");
const BINARY = join(ROOT, "dist/recado");

// a folder full of what Bun, or a library of ours, would run or read if it were looked for where the program is started
const hostile = mkdtempSync(join(tmpdir(), "recado-hostile-"));
const touched = join(hostile, "touched");
const CODE = `require("node:fs").appendFileSync(${JSON.stringify(touched)}, __filename + "\\n");\n`;
const LOOKED_FOR = [
  "canvas",
  "jimp",
  "sharp",
  "link-preview-js",
  "audio-decode",
  "supports-color",
  "libsql",
  "pino-pretty",
  "strtok3",
  "@napi-rs/canvas",
  "@libsql/linux-x64-gnu",
];
const write = (file: string, text: string) => {
  mkdirSync(join(hostile, file, ".."), { recursive: true });
  writeFileSync(join(hostile, file), text);
};
for (const name of LOOKED_FOR) write(`node_modules/${name}/index.js`, CODE);
for (const name of ["@img/sharp-linux-x64", "@img/sharp-libvips-linux-x64", "@img/sharp-wasm32"]) {
  for (const file of ["versions.js", "package.js", "sharp.node.js"]) write(`node_modules/${name}/${file}`, CODE);
}
write("preload.js", CODE);
write("bunfig.toml", `preload = ["./preload.js"]\n`);
write(".env", "RECADO_LISTEN=127.0.0.1:9\n");
write("package.json", `{"name":"elsewhere","dependencies":{"canvas":"1.0.0"}}`);
afterAll(() => rmSync(hostile, { recursive: true, force: true }));
afterEach(() => expect(existsSync(touched)).toBe(false));

const tools = processes(afterEach, ["sh", "-c", 'cd "$1" && shift && exec "$0" "$@"', BINARY, hostile]);

/** What a document says, read in that folder. */
const readThere = async (kind: string, bytes: Blob): Promise<unknown> => {
  const child = Bun.spawn([BINARY, "read-document", kind], {
    cwd: hostile,
    env: {},
    stdin: bytes,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect(err).toBe("");
  return JSON.parse(out);
};

test("no settings are read from the folder in which the binary is started", async () => {
  const { code, out, err } = await tools.run(["config", "--json"]);
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toContainEqual(
    expect.objectContaining({ name: "RECADO_LISTEN", value: "127.0.0.1:8080", source: "default" }),
  );
});

test("no code of it is run to read documents", async () => {
  const page = new Blob(["<html><head><title>Horário</title></head><body><p>Abrimos às oito.</p></body></html>"]);
  expect(await readThere("html", page)).toMatchObject({ ok: true, title: "Horário" });
  expect(await readThere("pdf", new Blob([pdfOf(["Fechamos."], { title: "Domingos" })]))).toMatchObject({
    ok: true,
    title: "Domingos",
  });
});

test("no code of it is run to serve, and to send a picture", async () => {
  const gateway = await startGateway(tools);
  try {
    expect(await previewFormat(gateway)).toBe("jpeg");
  } finally {
    await gateway.end();
  }
}, 120_000);

test("a build that leaves something to be looked for there is refused", async () => {
  const input = (path: string) => ({
    bytes: 0,
    format: "esm" as const,
    imports: [{ path, kind: "import-statement" as const, external: true }],
  });
  const inputs = {
    "src/main.ts": input("left-pad"),
    "src/app.ts": input("node:fs"),
    "node_modules/drizzle-kit/bin.cjs": input("./chunk.js"),
  };
  expect(await openImports({ inputs })).toEqual([
    "left-pad of src/main.ts",
    "what node_modules/drizzle-kit/bin.cjs computes",
  ]);
});

test("the same commit makes the same binary in any folder", async () => {
  const build = 'mount --bind . /mnt && mount -t tmpfs none /mnt/dist && cd /mnt && exec "$0" scripts/build.ts';
  const user = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const child = Bun.spawn(
    ["unshare", ...user, "--mount", "--propagation", "private", "sh", "-c", build, process.execPath],
    { cwd: ROOT, stdout: "pipe", stderr: "pipe" },
  );
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const here = new Bun.CryptoHasher("sha256").update(await Bun.file(BINARY).bytes()).digest("hex");
  expect([err, /SHA-256 ([0-9a-f]{64})$/m.exec(out)?.[1]]).toEqual(["", here]);
}, 120_000);
