import type { PageProps } from "../../frame/routes.tsx";
import { GroupView } from "./group.tsx";
import { GroupList } from "./list.tsx";

/** The groups of a phone; with an id, one of them. */
export const GroupsPage = ({ id }: PageProps) => (id ? <GroupView id={id} /> : <GroupList />);
