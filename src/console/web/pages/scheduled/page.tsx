import { ScheduledList } from "./list.tsx";
import { OneScheduled } from "./one.tsx";

/** The scheduled messages of the account, or one of them. */
export const ScheduledPage = ({ id }: { id?: string }) =>
  id === undefined ? <ScheduledList /> : <OneScheduled key={id} id={id} />;
