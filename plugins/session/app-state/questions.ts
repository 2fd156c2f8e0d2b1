import { proto, S_WHATSAPP_NET } from "@whiskeysockets/baileys";
import { unavailable } from "../../../src/contract/upstream.ts";
import { childOf, childrenOf, type Stanza } from "../active-socket.ts";
import { Ended, iq, node, refusal } from "../ask.ts";
import type { Collection, Version } from "./patches.ts";

/** The question for what is newer than a version, or the order to add a patch to it. */
export const questionFor = (
  name: Collection,
  { version }: Version,
  wantsSnapshot: boolean,
  patch?: Uint8Array,
): Stanza =>
  iq("set", { xmlns: "w:sync:app:state", to: S_WHATSAPP_NET }, [
    node("sync", {}, [
      node(
        "collection",
        { name, version: String(version), return_snapshot: String(wantsSnapshot) },
        patch ? [node("patch", {}, patch)] : undefined,
      ),
    ]),
  ]);

export const collectionOf = (answer: Stanza, name: Collection): Stanza | undefined =>
  childrenOf(childOf(answer, "sync")).find(({ attrs }) => attrs["name"] === name);

/** The code by which the network refuses a collection; undefined if it does not. */
export const errorIn = (collection: Stanza | undefined): number | undefined => {
  if (collection?.attrs["type"] !== "error") return undefined;
  return Number(childOf(collection, "error")?.attrs["code"] ?? "500");
};

/** @throws Ended for an answer without the collection, or with an error */
export const collectionIn = (answer: Stanza, name: Collection): Stanza => {
  const collection = collectionOf(answer, name);
  if (!collection) throw new Ended(unavailable("the network named no collection in its answer"));
  const code = errorIn(collection);
  if (code !== undefined) throw new Ended(refusal(`the network does not give the app state (${code})`, code));
  return collection;
};

/** A piece of a collection: all of it, or the next patches. */
export type Parts = { snapshot: proto.SyncdSnapshot | undefined; patches: proto.SyncdPatch[]; hasMore: boolean };

export const partsOf = async (
  collection: Stanza,
  fetched: (file: proto.IExternalBlobReference) => Promise<Uint8Array>,
): Promise<Parts> => {
  const snapshot = childOf(collection, "snapshot")?.content;
  const patches = childrenOf(childOf(collection, "patches") ?? collection).filter(({ tag }) => tag === "patch");
  return {
    snapshot:
      snapshot instanceof Uint8Array
        ? proto.SyncdSnapshot.decode(await fetched(proto.ExternalBlobReference.decode(snapshot)))
        : undefined,
    patches: patches.flatMap(({ content }) =>
      content instanceof Uint8Array ? [proto.SyncdPatch.decode(content)] : [],
    ),
    hasMore: collection.attrs["has_more_patches"] === "true",
  };
};
