import type { PageProps } from "../../frame/routes.tsx";
import { DeliveryPage } from "./detail.tsx";
import { DeliveryList } from "./list.tsx";

export const DeliveriesPage = ({ id }: PageProps) => (id ? <DeliveryPage id={id} /> : <DeliveryList />);
