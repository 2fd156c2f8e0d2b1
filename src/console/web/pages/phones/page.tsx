import type { PageProps } from "../../frame/routes.tsx";
import { Consented } from "./instagram.tsx";
import { PhoneList } from "./list.tsx";
import { PhoneView } from "./phone.tsx";

/** Where Instagram leads back to, in place of a phone's id. */
const CONSENT = "instagram";

/** The phones of the account; with an id one of them. */
export const PhonesPage = ({ id }: PageProps) => {
  if (id === CONSENT) return <Consented />;
  return id ? <PhoneView key={id} id={id} /> : <PhoneList />;
};
