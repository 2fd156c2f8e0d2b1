import { catalogue } from "../../frame/texts/languages.ts";

/** The texts of the payer's card. */
export const payerTexts = catalogue({
  en: {
    title: "Who pays",
    hint: "The payment processor needs a CPF or a CNPJ before it charges an invoice. It is stored encrypted.",
    nobody: "Nobody is named yet.",
    known: "Somebody is named.",
    number: "CPF or CNPJ",
    numberHint: "With or without punctuation, such as 12.345.678/0001-95",
    name: "Name",
    nameHint: "Empty: the name of the account.",
    wrong: "This is not a valid CPF or CNPJ: the check digits are wrong.",
    save: "Save",
    saved: "Who pays was saved",
  },
  pt: {
    title: "Quem paga",
    hint: "O processador de pagamentos precisa de um CPF ou CNPJ antes de cobrar uma fatura. Ele é guardado criptografado.",
    nobody: "Ainda não há ninguém cadastrado.",
    known: "Há alguém cadastrado.",
    number: "CPF ou CNPJ",
    numberHint: "Com ou sem pontuação, por exemplo 12.345.678/0001-95",
    name: "Nome",
    nameHint: "Vazio: o nome da conta.",
    wrong: "Este não é um CPF nem um CNPJ: os dígitos verificadores não conferem.",
    save: "Salvar",
    saved: "Quem paga foi salvo",
  },
  es: {
    title: "Quién paga",
    hint: "El procesador de pagos necesita un CPF o CNPJ antes de cobrar una factura. Se guarda cifrado.",
    nobody: "Todavía no hay nadie registrado.",
    known: "Hay alguien registrado.",
    number: "CPF o CNPJ",
    numberHint: "Con o sin puntuación, por ejemplo 12.345.678/0001-95",
    name: "Nombre",
    nameHint: "Vacío: el nombre de la cuenta.",
    wrong: "No es un CPF ni un CNPJ: los dígitos verificadores no coinciden.",
    save: "Guardar",
    saved: "Quién paga se guardó",
  },
});
