import { catalogue, language } from "../../frame/texts/languages.ts";

/** The texts for a person who links a WhatsApp phone, on the page of the phone and on the page of a pairing link. */
export const pairingTexts = catalogue({
  en: {
    ways: "How to link",
    byQr: "Scan a QR code",
    byCode: "Type a code",
    qrSteps: [
      "Open WhatsApp on the phone.",
      "Open the menu ⋮ (Android) or Settings (iPhone), then Linked devices.",
      "Tap Link a device and point the phone at this code.",
    ].join("\n"),
    codeSteps: [
      "Open WhatsApp on the phone, then Linked devices.",
      "Tap Link a device, then Link with phone number instead.",
      "Type the code.",
    ].join("\n"),
    qr: "QR code to scan with WhatsApp",
    renewed: "The code renews itself every few seconds.",
    preparing: "Preparing the code …",
    late: "No code has come from WhatsApp yet. The server goes on trying. If none comes, the server does not reach WhatsApp: its operator checks DNS, port 443 and the proxy.",
    number: "Number of this phone",
    numberHint: "With country code, such as +55 11 99999-0001",
    getCode: "Get a code",
    force: "Link this number a second time",
    forceHint: "The code may end the session of the phone that is linked with it now.",
    otherNumber: "Another number",
    code: "Code to type",
    linking: "The code was used. WhatsApp is linking the phone …",
    paired: "The phone is linked",
    passkey: "WhatsApp asks for the passkey of this account.",
    usePasskey: "Use the passkey",
  },
  pt: {
    ways: "Como conectar",
    byQr: "Ler um QR code",
    byCode: "Digitar um código",
    qrSteps: [
      "Abra o WhatsApp no celular.",
      "Abra o menu ⋮ (Android) ou Configurações (iPhone) e toque em Dispositivos conectados.",
      "Toque em Conectar dispositivo e aponte o celular para este código.",
    ].join("\n"),
    codeSteps: [
      "Abra o WhatsApp no celular e toque em Dispositivos conectados.",
      "Toque em Conectar dispositivo e depois em Conectar com número de telefone.",
      "Digite o código.",
    ].join("\n"),
    qr: "QR code para ler com o WhatsApp",
    renewed: "O código se renova sozinho a cada poucos segundos.",
    preparing: "Preparando o código …",
    late: "Nenhum código chegou do WhatsApp até agora. O servidor continua tentando. Se nenhum chegar, o servidor não alcança o WhatsApp: o operador confere DNS, porta 443 e proxy.",
    number: "Número deste celular",
    numberHint: "Com código do país, como +55 11 99999-0001",
    getCode: "Gerar código",
    force: "Conectar este número mais uma vez",
    forceHint: "O código pode encerrar a sessão do telefone que está conectado a ele agora.",
    otherNumber: "Outro número",
    code: "Código para digitar",
    linking: "O código foi usado. O WhatsApp está conectando o celular …",
    paired: "O celular está conectado",
    passkey: "O WhatsApp pede a chave de acesso (passkey) desta conta.",
    usePasskey: "Usar a chave de acesso",
  },
  es: {
    ways: "Cómo vincular",
    byQr: "Escanear un código QR",
    byCode: "Escribir un código",
    qrSteps: [
      "Abra WhatsApp en el teléfono.",
      "Abra el menú ⋮ (Android) o Configuración (iPhone) y toque Dispositivos vinculados.",
      "Toque Vincular un dispositivo y apunte el teléfono a este código.",
    ].join("\n"),
    codeSteps: [
      "Abra WhatsApp en el teléfono y toque Dispositivos vinculados.",
      "Toque Vincular un dispositivo y luego Vincular con número de teléfono.",
      "Escriba el código.",
    ].join("\n"),
    qr: "Código QR para escanear con WhatsApp",
    renewed: "El código se renueva solo cada pocos segundos.",
    preparing: "Preparando el código …",
    late: "Todavía no llegó ningún código de WhatsApp. El servidor sigue intentando. Si no llega ninguno, el servidor no alcanza WhatsApp: el operador revisa DNS, el puerto 443 y el proxy.",
    number: "Número de este teléfono",
    numberHint: "Con código de país, por ejemplo +55 11 99999-0001",
    getCode: "Obtener código",
    force: "Vincular este número otra vez",
    forceHint: "El código puede terminar la sesión del teléfono que está vinculado con él ahora.",
    otherNumber: "Otro número",
    code: "Código para escribir",
    linking: "El código se usó. WhatsApp está vinculando el teléfono …",
    paired: "El teléfono está vinculado",
    passkey: "WhatsApp pide la llave de acceso (passkey) de esta cuenta.",
    usePasskey: "Usar la llave de acceso",
  },
});

/** TABLE: the server's hints in Spanish, by their codes. The server's own texts are English and Portuguese. */
const SPANISH: Readonly<Record<string, string>> = {
  SCAN_AGAIN: "El código se escaneó y el teléfono pide uno nuevo. Escanee el código nuevo.",
  CODE_REFUSED: "WhatsApp no genera un código para este número ahora. Espere unos minutos y pídalo de nuevo.",
  CODE_WAIT: "No se puede generar un código para este número ahora. Espere unos minutos y pídalo de nuevo.",
  CODE_TRY_AGAIN:
    "El teléfono aceptó el código, pero no se vinculó. Pruebe otra vez con el código nuevo. Los iPhone suelen necesitar un segundo intento.",
  NETWORK_NOT_REACHED:
    "No llega ningún código porque este servidor no alcanza WhatsApp. Sigue intentando. El operador revisa DNS, el puerto 443 y el proxy.",
  NETWORK_DOWN:
    "No llega ningún código porque el propio WhatsApp está fuera de servicio. Este servidor sigue intentando.",
  NETWORK_BUSY: "WhatsApp pide que este servidor espere. Lo intenta de nuevo más tarde por sí solo.",
  NETWORK_FORGED:
    "Alguien responde en lugar de WhatsApp. Este servidor no vincula nada por esa conexión. El operador revisa la red y el proxy.",
  PASSKEY_REQUIRED:
    "WhatsApp pide la llave de acceso de esta cuenta. Abra el enlace en una computadora cuyo navegador tenga esa llave.",
  PASSKEY_CONFIRMATION_REQUIRED: "Compare el código del teléfono con el de aquí. Confirme solo si son iguales.",
  PASSKEY_FAILED:
    "La vinculación con la llave de acceso no funcionó. Escanee el código de nuevo para empezar otra vez.",
};

/** A hint of the server in the person's language. */
export const hintText = ({ code, en, pt }: { code: string; en: string; pt: string }): string =>
  language.value === "pt" ? pt : language.value === "es" ? (SPANISH[code] ?? en) : en;
