import type { PageProps } from "../../frame/routes.tsx";
import { CallView } from "./call.tsx";
import { CallList } from "./list.tsx";

/** Calls of all phones; with an id, one of them. */
export const CallsPage = ({ id }: PageProps) => (id ? <CallView id={id} /> : <CallList />);
