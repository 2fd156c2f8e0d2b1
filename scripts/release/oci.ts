// A layout of container images of the Open Container Initiative: files named by their hashes, and an index.
// https://github.com/opencontainers/image-spec/blob/v1.1.0/image-layout.md
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const INDEX = "application/vnd.oci.image.index.v1+json";
const EMPTY = "application/vnd.oci.empty.v1+json";

export type Descriptor = {
  mediaType: string;
  digest: string;
  size: number;
  platform?: object;
  artifactType?: string;
  annotations?: Record<string, string>;
};
/** A layer: its blob, and the hash of the archive in it. */
export type Layer = { blob: Descriptor; diffId: string; made: string };
type ImageSource = { config: object; layers: readonly Layer[]; annotations: Record<string, string>; created: string };

const digestOf = (bytes: Uint8Array): string => `sha256:${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}`;
const textOf = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** The path of a blob below a layout. */
export const blobPath = (digest: string): string => join("blobs", ...digest.split(":"));

const addBlob = async (folder: string, mediaType: string, bytes: Uint8Array): Promise<Descriptor> => {
  const digest = digestOf(bytes);
  const path = join(folder, blobPath(digest));
  await Bun.write(`${path}.part`, bytes);
  await rename(`${path}.part`, path);
  return { mediaType, digest, size: bytes.length };
};

/** Adds the archive of a layer, compressed. `made`: the words about its origin. */
export const addLayer = async (folder: string, tar: string, made: string): Promise<Layer> => {
  const bytes = await Bun.file(tar).bytes();
  const blob = await addBlob(folder, "application/vnd.oci.image.layer.v1.tar+gzip", gzipSync(bytes, { level: 6 }));
  return { blob, diffId: digestOf(bytes), made };
};

/** Adds an image: its configuration, completed by the layers, and its manifest. */
export const addImage = async (
  folder: string,
  { config, layers, annotations, created }: ImageSource,
): Promise<{ manifest: Descriptor; config: Descriptor }> => {
  const whole = {
    created,
    ...config,
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ made }) => ({ created, created_by: made })),
  };
  const written = await addBlob(folder, "application/vnd.oci.image.config.v1+json", textOf(whole));
  const manifest = await addBlob(
    folder,
    MANIFEST,
    textOf({
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: written,
      layers: layers.map(({ blob }) => blob),
      annotations,
    }),
  );
  return { manifest, config: written };
};

/** Adds one image for several machines. */
export const addIndex = (
  folder: string,
  manifests: readonly Descriptor[],
  annotations: Record<string, string>,
): Promise<Descriptor> =>
  addBlob(folder, INDEX, textOf({ schemaVersion: 2, mediaType: INDEX, manifests, annotations }));

/** Adds files that belong to an image, such as its signature: a registry lists them as its referrers. */
export const addReferrer = async (
  folder: string,
  subject: Descriptor,
  {
    type,
    files,
    created,
  }: { type: string; files: readonly { name: string; mediaType: string; text: string }[]; created: string },
): Promise<Descriptor> => {
  const layers: Descriptor[] = [];
  for (const { name, mediaType, text } of files) {
    const blob = await addBlob(folder, mediaType, new TextEncoder().encode(text));
    layers.push({ ...blob, annotations: { "org.opencontainers.image.title": name } });
  }
  const manifest = await addBlob(
    folder,
    MANIFEST,
    textOf({
      schemaVersion: 2,
      mediaType: MANIFEST,
      artifactType: type,
      config: await addBlob(folder, EMPTY, textOf({})),
      layers,
      subject: { mediaType: subject.mediaType, digest: subject.digest, size: subject.size },
      annotations: { "org.opencontainers.image.created": created },
    }),
  );
  return { ...manifest, artifactType: type };
};

/** Makes the folders of a layout. */
export const startLayout = (folder: string): Promise<unknown> =>
  mkdir(join(folder, "blobs", "sha256"), { recursive: true });

/** Writes the index of a layout's images. */
export const finishLayout = async (folder: string, manifests: readonly Descriptor[]): Promise<void> => {
  await Bun.write(join(folder, "oci-layout"), textOf({ imageLayoutVersion: "1.0.0" }));
  await Bun.write(join(folder, "index.json"), textOf({ schemaVersion: 2, mediaType: INDEX, manifests }));
};
