import type { PageProps } from "../../frame/routes.tsx";
import { Consented } from "./instagram.tsx";
import { PhoneList } from "./list.tsx";
import { PhoneView } from "./phone.tsx";

/** The path to which Instagram leads back, in place of a phone's id. */
const CONSENT = "instagram";

/** The phones of the account; with an id one of them. */
export const PhonesPage = ({ id }: PageProps) => {
  if (id === CONSENT) return <Consented />;
  return id ? <PhoneView key={id} id={id} /> : <PhoneList />;
};
