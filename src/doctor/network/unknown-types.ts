import { unknownsSeen } from "../../core/channels/links/unknowns.ts";
import { type Check, ok, warning, worstOf } from "../check.ts";
import { onDatabase } from "../database/database.ts";
import { serverTime } from "../work.ts";

const REMEDY =
  "a network has changed: update Recado, or report these names. What came was stored, or published as unsupported";

/** No network has sent anything that its adapter does not know. */
export const unknownTypes: Check = {
  name: "unknown-types",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const kinds = (await installation.adapters()).plugins.map(({ kind }) => kind);
      const seen = await unknownsSeen(reader, kinds, await serverTime(installation, reader));
      if (seen.length === 0) return ok("in the last 30 days no network sent anything unknown");
      return worstOf(seen.map(({ kind, names }) => warning(`${kind}: ${names.join(", ")}`, REMEDY)));
    }),
};
