import { isValidCnpj } from "@brazilian-utils/brazilian-utils/is-valid-cnpj";
import { isValidCpf } from "@brazilian-utils/brazilian-utils/is-valid-cpf";

/** A CPF or a CNPJ in the server's form, without punctuation. Undefined if the check digits are wrong. */
export const payerNumberIn = (text: string): string | undefined =>
  isValidCpf(text) || isValidCnpj(text, { version: 2 }) ? text.toUpperCase().replaceAll(/[\s./-]/g, "") : undefined;
