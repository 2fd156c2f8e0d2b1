import type { PageProps } from "../../frame/routes.tsx";
import { MessagePage } from "./detail.tsx";
import { MessageList } from "./list.tsx";

export const MessagesPage = ({ id }: PageProps) => (id ? <MessagePage id={id} /> : <MessageList />);
