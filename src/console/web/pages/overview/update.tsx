import { admin } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { NewerRelease } from "../../parts/newer-release.tsx";

/** The newest release, for the operators, if it is newer than the version in use. The system page shows it too. */
export const Update = () => {
  const { data } = useQuery("system system", (signal) => admin.system.get({ signal }), { everyMs: 120_000 });
  return data?.updates.newer ? <NewerRelease {...data.updates.newer} /> : null;
};
