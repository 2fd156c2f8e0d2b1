import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { billOfMaterials } from "../../../scripts/release/bill.ts";
import { baseComponents, CONTAINER_USER } from "../../../scripts/release/image-root.ts";
import { imageName, makeImage, writeImageArchive, writeImagesArchive } from "../../../scripts/release/images.ts";
import { blobPath } from "../../../scripts/release/oci.ts";
import { builtBinary } from "../../support/processes/built.ts";
import { debianPackages } from "../../support/processes/debian-packages.ts";
import { processes, type Ready } from "../../support/processes/process.ts";
import { startGateway } from "../../support/session/gateway-process.ts";
import { previewFormat } from "../../support/session/picture.ts";
import { type Containers, openImage } from "./containers.ts";

setDefaultTimeout(120_000);

const release = { version: "1.2.3", commit: "c".repeat(40), time: 1_700_000_000 };
const READY = /\{"event":"ready".*\}/;
/** A program of no words of its own: its arguments are the whole command line. */
const tools = processes(afterAll, []);

const folder = mkdtempSync("/var/tmp/recado-images-");
let packages: string[];
let containers: Containers;

const archiveOf = async (name: string, program: string): Promise<{ archive: string; layout: string; all: string }> => {
  const [layout, archive, all] = ["layout", "image.tar", "images.tar"].map((end) => join(folder, `${name}-${end}`)) as [
    string,
    string,
    string,
  ];
  const source = { release, architecture: "amd64", program, licences: "of everything\n", packages } as const;
  const image = await makeImage(layout, source);
  await writeImageArchive(layout, image, { release, name: imageName(release.version), outfile: archive });
  const key = { file: join(folder, "secret"), password: "" };
  const bill = await billOfMaterials([], release, baseComponents(["amd64"]));
  await writeImagesArchive(layout, [image], { release, bill, key, outfile: all });
  return { archive, layout, all };
};

const ran = (command: readonly string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command]);
  return { code: exitCode, out: stdout.toString(), err: stderr.toString() };
};
const sha256 = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

beforeAll(async () => {
  packages = await debianPackages("amd64");
  const keys = ["minisign", "-G", "-W", "-s", join(folder, "secret"), "-p", join(folder, "public")];
  expect(ran(keys).code).toBe(0);
  containers = openImage((await archiveOf("recado", await builtBinary())).archive, release.version);
}, 300_000);
afterAll(() => {
  containers.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** A file that a test, not the server, puts into the volume. */
const CA = "ca.pem";

describe("a container of the image", () => {
  test("sends a message on the simulated network and gets its webhooks, with a read-only root and no right of root's", () => {
    const { code, out } = ran(containers.command(["/usr/bin/recado", "demo", "--once"]));
    expect(code).toBe(0);
    expect(out).toContain('"status":"read"');
    expect(containers.config.process.env).toContain("RECADO_DATA_DIR=/data");
  });

  test("keeps its data in the volume as its own user; a command in it says whether it is ready; it ends on SIGTERM", async () => {
    const health = () => ran(containers.command(["/usr/bin/recado", "health"]));
    expect(health().code).toBe(1);
    const { child, out, ended } = await tools.start(
      containers.command(containers.config.process.args, { RECADO_LISTEN: "127.0.0.1:0" }),
      {},
      READY,
    );
    expect(health()).toEqual({ code: 0, out: "the server is ready\n", err: "" });
    const own = readdirSync(containers.data).filter((name) => name !== CA);
    const owners = own.map((name) => statSync(join(containers.data, name)).uid);
    expect(new Set(owners)).toEqual(new Set([CONTAINER_USER]));
    expect(readdirSync(containers.data)).toContain("recado.db");
    containers.stop(child, (JSON.parse(READY.exec(out.text())?.[0] ?? "") as Ready).pid);
    expect((await ended).code).toBe(0);
    expect(health().code).toBe(1);
  });

  test("loads every add-on: the preview of a picture arrives", async () => {
    const serve = async ({ RECADO_EXTRA_CA = "", ...settings }: Record<string, string>) => {
      copyFileSync(RECADO_EXTRA_CA, join(containers.data, CA));
      const own = { RECADO_DATA_DIR: "/data", RECADO_EXTRA_CA: `/data/${CA}` };
      const given = { RECADO_LISTEN: "127.0.0.1:0", RECADO_LOG_LEVEL: "warn", ...settings, ...own };
      const { child, out, err, ended } = await tools.start(
        containers.command(["/usr/bin/recado", "serve"], given),
        {},
        READY,
      );
      const ready = JSON.parse(READY.exec(out.text())?.[0] ?? "") as Ready;
      return { ...ready, out: out.text, err: err.text, signal: () => containers.stop(child, ready.pid), ended };
    };
    const gateway = await startGateway({ folder: tools.folder, dataDir: () => containers.data, serve });
    try {
      expect(await previewFormat(gateway)).toBe("jpeg");
    } finally {
      gateway.server.signal("SIGTERM");
      await gateway.server.ended;
      await gateway.end();
    }
  });
});

/** A small program, for what does not depend on it. */
const small = (): string => {
  const path = join(folder, "small");
  writeFileSync(path, "a program");
  return path;
};
const jsonOf = (layout: string, path: string): any => JSON.parse(readFileSync(join(layout, path), "utf8"));
/** Every blob that a layout's index leads to, by its digest. */
const reachable = (layout: string, { manifests = [], config, layers = [] }: any): string[] => [
  ...(config ? [config.digest] : []),
  ...layers.map(({ digest }: { digest: string }) => digest),
  ...manifests.flatMap(({ digest }: { digest: string }) => [
    digest,
    ...reachable(layout, jsonOf(layout, blobPath(digest))),
  ]),
];

test("the same source gives the same archives to the byte, whatever the umask, and another source others", async () => {
  const umask = process.umask();
  try {
    const first = await archiveOf("first", small());
    process.umask(0o077);
    const second = await archiveOf("second", small());
    for (const kind of ["archive", "all"] as const) expect(sha256(second[kind])).toBe(sha256(first[kind]));
    writeFileSync(join(folder, "small"), "another program");
    const other = await archiveOf("other", join(folder, "small"));
    expect(sha256(other.archive)).not.toBe(sha256(first.archive));
  } finally {
    process.umask(umask);
  }
});

describe("what an image says of itself", () => {
  test("has a name, labels, a user, a health check, a volume and a port, for old and new programs that load it", async () => {
    const layout = join(folder, "loaded");
    const { archive } = await archiveOf("said", small());
    expect([ran(["mkdir", layout]).code, ran(["tar", "-C", layout, "-xf", archive]).code]).toEqual([0, 0]);
    const [listed] = jsonOf(layout, "manifest.json");
    expect(listed.RepoTags).toEqual([imageName("1.2.3")]);
    const [{ digest, annotations }] = jsonOf(layout, "index.json").manifests;
    expect(annotations["org.opencontainers.image.ref.name"]).toBe("1.2.3");
    const manifest = jsonOf(layout, blobPath(digest));
    expect(listed.Config).toBe(blobPath(manifest.config.digest));
    expect(listed.Layers).toEqual(manifest.layers.map((layer: { digest: string }) => blobPath(layer.digest)));
    const { config } = jsonOf(layout, listed.Config);
    expect(config).toMatchObject({
      User: "65532:65532",
      Entrypoint: ["/usr/bin/recado"],
      Cmd: ["serve"],
      Volumes: { "/data": {} },
      ExposedPorts: { "8080/tcp": {} },
      Healthcheck: { Test: ["CMD", "/usr/bin/recado", "health"] },
      Labels: {
        "org.opencontainers.image.version": "1.2.3",
        "org.opencontainers.image.revision": release.commit,
        "org.opencontainers.image.created": "2023-11-14T22:13:20.000Z",
      },
    });
  });

  test("is one image with its bill of materials and a signature over its digest; every blob is what its name says", async () => {
    const { layout } = await archiveOf("signed", small());
    const index = jsonOf(layout, "index.json");
    const blobs = reachable(layout, index);
    expect(readdirSync(join(layout, "blobs/sha256")).sort()).toEqual(
      [...new Set(blobs)].map((digest) => digest.replace("sha256:", "")).sort(),
    );
    for (const digest of blobs) expect(`sha256:${sha256(join(layout, blobPath(digest)))}`).toBe(digest);
    const [image, bill, signature] = index.manifests;
    const filesOf = ({ digest }: { digest: string }) => {
      const { subject, layers } = jsonOf(layout, blobPath(digest));
      expect(subject.digest).toBe(image.digest);
      return layers.map((layer: { digest: string }) => join(layout, blobPath(layer.digest)));
    };
    const names = JSON.parse(readFileSync(filesOf(bill)[0], "utf8")).components.map(
      ({ name }: { name: string }) => name,
    );
    expect(names).toEqual(["ca-certificates", "gcc-14-base", "libc6", "libgcc-s1", "libstdc++6"]);
    const [signed, signedBy] = filesOf(signature);
    expect(readFileSync(signed, "utf8")).toBe(`${image.digest}\n`);
    const verify = () => ran(["minisign", "-V", "-p", join(folder, "public"), "-m", signed, "-x", signedBy]);
    expect(verify()).toMatchObject({ code: 0, out: expect.stringContaining("Trusted comment: recado 1.2.3 image") });
    writeFileSync(signed, `sha256:${"0".repeat(64)}\n`);
    expect(verify().code).not.toBe(0);
  });
});
