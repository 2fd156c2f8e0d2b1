import { catalogue } from "../frame/texts/languages.ts";
import { CopyLine } from "./copy.tsx";
import { reachOf } from "./link-reach.ts";
import { Notice } from "./states.tsx";

const texts = catalogue({
  en: {
    computer:
      "Nobody else can open this link: it leads to this computer alone. The operator sets RECADO_PUBLIC_URL to an address that others reach.",
    network:
      "Only computers of the same network can open this link. The operator sets RECADO_PUBLIC_URL to an address that others reach.",
  },
  pt: {
    computer:
      "Ninguém mais consegue abrir este link: ele só leva a este computador. O operador define RECADO_PUBLIC_URL com um endereço que os outros alcançam.",
    network:
      "Só computadores da mesma rede conseguem abrir este link. O operador define RECADO_PUBLIC_URL com um endereço que os outros alcançam.",
  },
  es: {
    computer:
      "Nadie más puede abrir este enlace: solo lleva a esta computadora. El operador pone en RECADO_PUBLIC_URL una dirección a la que otros lleguen.",
    network:
      "Solo las computadoras de la misma red pueden abrir este enlace. El operador pone en RECADO_PUBLIC_URL una dirección a la que otros lleguen.",
  },
});

/** A link that is handed to somebody else, to be copied. It says so if nobody else could open it. */
export const HandOverLink = ({ link }: { link: string }) => {
  const reach = reachOf(link);
  return (
    <>
      <CopyLine text={link} />
      {reach !== "everybody" && <Notice tone="warning">{texts()[reach]}</Notice>}
    </>
  );
};
