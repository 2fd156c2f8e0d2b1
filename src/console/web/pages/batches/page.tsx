import { lazy } from "../../frame/lazy.ts";
import { BatchList } from "./list.tsx";
import { OneBatch } from "./one.tsx";

/** Reading files takes the number plans of every country, so they are loaded when somebody makes a batch. */
const MakeBatch = lazy(async () => (await import("./make.tsx")).MakeBatch);

/** The batches of the account, one of them, or a new one. */
export const BatchesPage = ({ id }: { id?: string }) => {
  if (id === undefined) return <BatchList />;
  return id === "new" ? <MakeBatch /> : <OneBatch key={id} id={id} />;
};
