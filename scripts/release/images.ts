import { chmod, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Architecture } from "./base.ts";
import type { Release } from "./bill.ts";
import { CONTAINER_USER, makeBaseRoot } from "./image-root.ts";
import {
  addImage,
  addIndex,
  addLayer,
  addReferrer,
  blobPath,
  type Descriptor,
  finishLayout,
  type Layer,
  startLayout,
} from "./oci.ts";
import { type SigningKey, sign } from "./sums.ts";
import { tarOf } from "./tar.ts";

/** The parts of an image: the program, its licences, and the packages of Debian beside it. */
export type ImageSource = {
  release: Release;
  architecture: Architecture;
  program: string;
  licences: string;
  packages: readonly string[];
};
/** An image in a layout. */
type Image = { architecture: Architecture; manifest: Descriptor; config: Descriptor; layers: readonly Layer[] };

/** The name under which an archive is loaded; `repository` names a registry where the images will be. */
export const imageName = (version: string, repository = "localhost/recado"): string => `${repository}:${version}`;
export const imageFile = (version: string, architecture: Architecture): string =>
  `recado-${version}-image-${architecture}.tar`;
export const imagesFile = (version: string): string => `recado-${version}-images.oci.tar`;

/**
 * The folders that a container can write to, with their modes: its data, the unpacked add-ons, and a /tmp for commands.
 * A tmpfs at such a folder takes over the mode, and belongs to root.
 */
const WRITABLE = { cache: 0o700, data: 0o700, tmp: 0o1777 };

const SECOND = 1e9;

const labelsOf = ({ version, commit, time }: Release): Record<string, string> => ({
  "org.opencontainers.image.title": "recado",
  "org.opencontainers.image.description": "A self-hosted messaging gateway",
  "org.opencontainers.image.version": version,
  "org.opencontainers.image.revision": commit,
  "org.opencontainers.image.created": new Date(time * 1000).toISOString(),
  "org.opencontainers.image.licenses": "GPL-3.0-only",
});

/** The configuration of an image; Docker knows health checks, and other programs ignore them. */
const configOf = (release: Release, architecture: Architecture): object => ({
  architecture,
  ...(architecture === "arm64" ? { variant: "v8" } : {}),
  os: "linux",
  config: {
    User: `${CONTAINER_USER}:${CONTAINER_USER}`,
    Env: [
      "PATH=/usr/bin",
      "HOME=/data",
      "CACHE_DIRECTORY=/cache",
      "RECADO_DATA_DIR=/data",
      "RECADO_LISTEN=0.0.0.0:8080",
      // more requests to slow servers at once than Bun's own limit of 256
      "BUN_CONFIG_MAX_HTTP_REQUESTS=4096",
    ],
    Entrypoint: ["/usr/bin/recado"],
    Cmd: ["serve"],
    WorkingDir: "/data",
    Volumes: { "/data": {} },
    ExposedPorts: { "8080/tcp": {} },
    StopSignal: "SIGTERM",
    Healthcheck: {
      Test: ["CMD", "/usr/bin/recado", "health"],
      Interval: 30 * SECOND,
      Timeout: 10 * SECOND,
      // a large database is brought up to date before the server is ready
      StartPeriod: 300 * SECOND,
      Retries: 3,
    },
    Labels: labelsOf(release),
  },
});

/** The layers, from the least changing to the most changing. */
const layersOf = async (layout: string, work: string, source: ImageSource): Promise<Layer[]> => {
  const { architecture, program, licences, packages, release } = source;
  const { time } = release;
  const [base, home, own] = ["base", "home", "own"].map((name) => join(work, name)) as [string, string, string];
  const tar = join(work, "layer.tar");
  await makeBaseRoot(base, architecture, packages);
  await tarOf(tar, { folder: base, paths: ["."], time });
  const layers = [await addLayer(layout, tar, "libraries and authorities of Debian")];
  for (const [name, mode] of Object.entries(WRITABLE)) {
    await mkdir(join(home, name), { recursive: true });
    await chmod(join(home, name), mode);
  }
  await tarOf(tar, { folder: home, paths: Object.keys(WRITABLE), time, owner: CONTAINER_USER, isModeKept: true });
  layers.push(await addLayer(layout, tar, "folders that Recado writes to"));
  for (const path of ["usr/bin", "usr/share/doc/recado"]) await mkdir(join(own, path), { recursive: true });
  await cp(program, join(own, "usr/bin/recado"));
  await chmod(join(own, "usr/bin/recado"), 0o755);
  await Bun.write(join(own, "usr/share/doc/recado/copyright"), licences);
  await tarOf(tar, { folder: own, paths: ["."], time });
  layers.push(await addLayer(layout, tar, `recado ${release.version}`));
  return layers;
};

/** Adds the image for one kind of machine to a layout. */
export const makeImage = async (layout: string, source: ImageSource): Promise<Image> => {
  const { release, architecture } = source;
  const work = await mkdtemp(join(tmpdir(), "recado-image-"));
  try {
    await startLayout(layout);
    const layers = await layersOf(layout, work, source);
    const annotations = labelsOf(release);
    const created = annotations["org.opencontainers.image.created"] ?? "";
    const config = configOf(release, architecture);
    return { architecture, layers, ...(await addImage(layout, { config, layers, annotations, created })) };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
};

const platformOf = (architecture: Architecture): object => ({
  os: "linux",
  architecture,
  ...(architecture === "arm64" ? { variant: "v8" } : {}),
});

/**
 * Writes the archive of one image of a layout, which `docker load` and `podman load` take. Older versions of Docker read
 * manifest.json, others the index.
 */
export const writeImageArchive = async (
  layout: string,
  image: Image,
  { release, name, outfile }: { release: Release; name: string; outfile: string },
): Promise<void> => {
  const own = await mkdtemp(join(tmpdir(), "recado-archive-"));
  const { manifest, config, layers } = image;
  try {
    for (const { digest } of [manifest, config, ...layers.map(({ blob }) => blob)]) {
      await mkdir(dirname(join(own, blobPath(digest))), { recursive: true });
      await cp(join(layout, blobPath(digest)), join(own, blobPath(digest)));
    }
    const annotations = { "io.containerd.image.name": name, "org.opencontainers.image.ref.name": release.version };
    await finishLayout(own, [{ ...manifest, platform: platformOf(image.architecture), annotations }]);
    const listed = {
      Config: blobPath(config.digest),
      RepoTags: [name],
      Layers: layers.map(({ blob }) => blobPath(blob.digest)),
    };
    await Bun.write(join(own, "manifest.json"), JSON.stringify([listed]));
    await tarOf(outfile, {
      folder: own,
      paths: ["blobs", "index.json", "manifest.json", "oci-layout"],
      time: release.time,
    });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
};

/**
 * Writes the archive of one image for all machines. A bill of materials refers to it and, with a key, a signature of
 * minisign over its digest.
 */
export const writeImagesArchive = async (
  layout: string,
  images: readonly Image[],
  { release, bill, key, outfile }: { release: Release; bill: string; key: SigningKey | undefined; outfile: string },
): Promise<void> => {
  const annotations = labelsOf(release);
  const created = annotations["org.opencontainers.image.created"] ?? "";
  const listed = images.map(({ manifest, architecture }) => ({ ...manifest, platform: platformOf(architecture) }));
  const index = await addIndex(layout, listed, annotations);
  const type = "application/vnd.cyclonedx+json";
  const referrers = [
    await addReferrer(layout, index, {
      type,
      created,
      files: [{ name: "recado.cdx.json", mediaType: type, text: bill }],
    }),
  ];
  if (key) {
    const files = await signatureOf(index, release, key);
    referrers.push(await addReferrer(layout, index, { type: "application/vnd.recado.minisign", created, files }));
  }
  const named = { ...index, annotations: { "org.opencontainers.image.ref.name": release.version } };
  await finishLayout(layout, [named, ...referrers]);
  await tarOf(outfile, { folder: layout, paths: ["blobs", "index.json", "oci-layout"], time: release.time });
};

const signatureOf = async ({ digest }: Descriptor, { version }: Release, key: SigningKey) => {
  const folder = await mkdtemp(join(tmpdir(), "recado-digest-"));
  const path = join(folder, "image.digest");
  try {
    await Bun.write(path, `${digest}\n`);
    await sign(path, `recado ${version} image`, key);
    return await Promise.all(
      [path, `${path}.minisig`].map(async (file) => ({
        name: file.slice(folder.length + 1),
        mediaType: "text/plain",
        text: await Bun.file(file).text(),
      })),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
