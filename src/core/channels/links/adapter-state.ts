import type { AdapterState } from "../../../contract/adapter-state.ts";
import { readMeta, writeMeta } from "../../../store/tables/meta.ts";
import type { ChannelsEnv } from "../env.ts";

/** The values that all channels of an adapter share. They stay when the adapter is removed. */
export const adapterStateOf = ({ db }: Pick<ChannelsEnv, "db">, adapter: string): AdapterState => {
  const rowOf = (name: string) => `adapter:${adapter}:${name}`;
  return {
    read: (name) => db.read((reader) => readMeta(reader, rowOf(name))),
    change: (name, changed) =>
      db.write(async (tx) => writeMeta(tx, rowOf(name), changed(await readMeta(tx, rowOf(name))))),
  };
};
