import type { PageProps } from "../../frame/routes.tsx";
import { WebhookPage } from "./detail.tsx";
import { WebhookList } from "./list.tsx";

export const WebhooksPage = ({ id }: PageProps) => (id ? <WebhookPage id={id} /> : <WebhookList />);
