import { linksKeptFiles } from "../../contract/capabilities.ts";
import { addressesOf } from "../../kernel/network/addresses.ts";
import { isLoopbackUrl } from "../../kernel/settings/setting-kinds.ts";
import type { Reader } from "../../store/engine/db.ts";
import { countOpenLinks } from "../../store/engine/inspection.ts";
import { listKinds } from "../../store/tables/channels/channels.ts";
import { type Check, ok, warning } from "../check.ts";
import { onDatabase } from "../database/database.ts";
import type { Installation } from "../installation.ts";

const MEND = [
  "set RECADO_PUBLIC_URL to an https address that others reach",
  "(see docs/operate.md: Behind a reverse proxy)",
].join(" ");

/** The open links, the webhooks and the files of messages that need the public address. */
const needsOf = async (installation: Installation, reader: Reader): Promise<string[]> => {
  const { pairing, invitations } = await countOpenLinks(reader, installation.clock.now());
  const { plugins } = await installation.adapters();
  const kinds = new Set(await listKinds(reader));
  const inUse = plugins.filter(({ kind }) => kinds.has(kind));
  const called = inUse.filter(({ receiver, webhook }) => receiver ?? webhook).map(({ kind }) => kind);
  const fetching = inUse.filter(({ capabilities }) => linksKeptFiles(capabilities) && !capabilities.fetchesFromHere);
  return [
    ...(pairing > 0 ? [`${pairing} pairing links for owners of phones`] : []),
    ...(invitations > 0 ? [`${invitations} invitations`] : []),
    ...(called.length > 0 ? [`the webhooks of ${called.join(", ")}`] : []),
    ...(fetching.length > 0 ? [`the files that ${fetching.map(({ kind }) => kind).join(", ")} fetches`] : []),
  ];
};

/** Links for others lead to an address that they can open. */
export const publicReach: Check = {
  name: "public-reach",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const { publicUrl } = addressesOf(installation.config, installation.config.listen.port);
      if (!installation.http.isPrivateUrl(publicUrl)) return ok(`${publicUrl} is no private address`);
      const needs = await needsOf(installation, reader);
      if (needs.length === 0) return ok("nothing that others open is in use");
      const reach = isLoopbackUrl(publicUrl) ? "this computer alone" : "computers of the same network alone";
      return warning(`${publicUrl} is opened by ${reach}, and others need it for ${needs.join(", ")}`, MEND);
    }),
};
