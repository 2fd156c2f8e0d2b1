import { endingClients } from "../../core/channels/links/clients.ts";
import { DAY_MS, iso } from "../../kernel/clock.ts";
import { type Check, fault, ok, warning, worstOf } from "../check.ts";
import { onDatabase } from "../database/database.ts";
import { serverTime } from "../work.ts";

const FAULT_MS = 3 * DAY_MS;
const REMEDY = "update Recado, or give it a newer version: docs/sessions.md, Client version";

/** No network has announced the end of the version in use. */
export const clientVersions: Check = {
  name: "client-versions",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const kinds = (await installation.adapters()).plugins.map(({ kind }) => kind);
      const ending = await endingClients(reader, kinds);
      if (ending.length === 0) return ok("no network has named an end of the version in use");
      const now = await serverTime(installation, reader);
      return worstOf(
        ending.map(({ kind, version, expiresAt }) =>
          (expiresAt - now < FAULT_MS ? fault : warning)(
            `${kind}: the network stops accepting version ${version} at ${iso(expiresAt)}`,
            REMEDY,
          ),
        ),
      );
    }),
};
