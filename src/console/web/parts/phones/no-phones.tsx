import { Smartphone } from "lucide-preact";
import type { ComponentProps } from "preact";
import { catalogue } from "../../frame/texts/languages.ts";
import { ButtonLink } from "../button.tsx";
import type { Empty } from "../states.tsx";

const texts = catalogue({
  en: { toPhones: "Go to the phones" },
  pt: { toPhones: "Ir para os telefones" },
  es: { toPhones: "Ir a los teléfonos" },
});

/** The way to the page where a phone is linked. */
export const ToPhones = () => (
  <ButtonLink tone="primary" path="/phones">
    {texts().toPhones}
  </ButtonLink>
);

/** Stands in place of a part that needs a phone first. */
export const noPhones = (title: string, hint: string): ComponentProps<typeof Empty> => ({
  icon: Smartphone,
  title,
  hint,
  children: <ToPhones />,
});
