import type { PageProps } from "../../frame/routes.tsx";
import { AgentView } from "./agent.tsx";
import { AgentList } from "./list.tsx";

/** The agents of all phones; with the id of a phone, its agent. */
export const AgentsPage = ({ id, tab }: PageProps) =>
  id ? <AgentView phoneId={id} tab={tab ?? "learn"} /> : <AgentList />;
