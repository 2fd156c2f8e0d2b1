import { isValidCnpj } from "@brazilian-utils/brazilian-utils/is-valid-cnpj";
import { isValidCpf } from "@brazilian-utils/brazilian-utils/is-valid-cpf";

/** A CPF or a CNPJ as the server takes it, without punctuation. Undefined where the check digits are wrong. */
export const payerNumberIn = (text: string): string | undefined =>
  isValidCpf(text) || isValidCnpj(text, { version: 2 }) ? text.toUpperCase().replaceAll(/[\s./-]/g, "") : undefined;
