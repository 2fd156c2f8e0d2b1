import { BatchList } from "./list.tsx";
import { MakeBatch } from "./make.tsx";
import { OneBatch } from "./one.tsx";

/** The batches of the account, one of them, or a new one. */
export const BatchesPage = ({ id }: { id?: string }) => {
  if (id === undefined) return <BatchList />;
  return id === "new" ? <MakeBatch /> : <OneBatch key={id} id={id} />;
};
