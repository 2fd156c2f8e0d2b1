import type { HintText } from "../../../src/contract/abilities/pairing.ts";

/** TABLE: what the person who links a session reads, by the code of the hint. */
export const PAIRING_HINTS: Readonly<Record<string, HintText>> = {
  SCAN_AGAIN: {
    en: "The code was scanned, and the phone wants a fresh one. Scan the new code.",
    pt: "O código foi lido, e o celular pede um novo. Leia o código novo.",
  },
  CODE_REFUSED: {
    en: "WhatsApp makes no code for this number at the moment. Wait some minutes, then ask again.",
    pt: "O WhatsApp não gera um código para este número agora. Espere alguns minutos e peça de novo.",
  },
  CODE_WAIT: {
    en: "No code can be made for this number at the moment. Wait some minutes, then ask again.",
    pt: "Não dá para gerar um código para este número agora. Espere alguns minutos e peça de novo.",
  },
  CODE_TRY_AGAIN: {
    en: "The phone took the code, but did not link. Try once more with the new code. iPhones often need a second try.",
    pt: "O celular aceitou o código, mas não conectou. Tente mais uma vez com o código novo. iPhones costumam precisar de uma segunda tentativa.",
  },
  NETWORK_NOT_REACHED: {
    en: "No code comes because this server does not reach WhatsApp. It goes on trying. Its operator checks DNS, port 443 and the proxy.",
    pt: "Nenhum código vem porque este servidor não alcança o WhatsApp. Ele continua tentando. O operador confere DNS, porta 443 e proxy.",
  },
  NETWORK_DOWN: {
    en: "No code comes because WhatsApp itself is out of order. This server goes on trying.",
    pt: "Nenhum código vem porque o próprio WhatsApp está fora do ar. Este servidor continua tentando.",
  },
  NETWORK_BUSY: {
    en: "WhatsApp makes this server wait. It tries again later by itself.",
    pt: "O WhatsApp pede que este servidor espere. Ele tenta de novo mais tarde, sozinho.",
  },
  NETWORK_FORGED: {
    en: "Somebody answers in WhatsApp's place. This server links nothing over that connection. Its operator checks the network and the proxy.",
    pt: "Alguém responde no lugar do WhatsApp. Este servidor não conecta nada por esse caminho. O operador confere a rede e o proxy.",
  },
  PASSKEY_REQUIRED: {
    en: "WhatsApp asks for the passkey of this account. Open the link on a computer whose browser has this passkey. Deleting the passkey does not help. If you have none: create it in WhatsApp > Settings > Account > Passkeys, then link again.",
    pt: "O WhatsApp pede a chave de acesso (passkey) desta conta. Abra o link em um computador cujo navegador tenha essa chave. Apagar a chave não ajuda. Se você não tem nenhuma: crie em WhatsApp > Configurações > Conta > Chaves de acesso e conecte de novo.",
  },
  PASSKEY_CONFIRMATION_REQUIRED: {
    en: "Compare the code on the phone with the one here. Confirm only if they are the same.",
    pt: "Compare o código no celular com o que aparece aqui. Confirme apenas se forem iguais.",
  },
  PASSKEY_FAILED: {
    en: "The linking with the passkey did not succeed. Scan the code again to start over.",
    pt: "A conexão com a chave de acesso não deu certo. Leia o código de novo para recomeçar.",
  },
};
