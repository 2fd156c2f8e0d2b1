import { TemplateList } from "./list.tsx";
import { MakeTemplate } from "./make.tsx";
import { OneTemplate } from "./one.tsx";

/**
 * The templates of the account, one of them, or a new one. `tab`: `change` makes a new version of an existing template.
 */
export const TemplatesPage = ({ id, tab }: { id?: string; tab?: string }) => {
  if (id === undefined) return <TemplateList />;
  if (id === "new") return <MakeTemplate />;
  return tab === "change" ? <MakeTemplate key={id} fromId={id} /> : <OneTemplate key={id} id={id} />;
};
