const FILE = "https://padaria-estrela.example/cardapio";

/** Contents whose fields are all optional, because one of several is needed. */
export const CONTENTS_FIELDS = {
  "SendImageMessage.content": { example: { mediaUrl: `${FILE}.jpg`, caption: "O cardápio de hoje" } },
  "SendVideoMessage.content": { example: { mediaUrl: `${FILE}.mp4`, caption: "A fornada das 7h" } },
  "SendAudioMessage.content": { example: { mediaUrl: `${FILE}.ogg`, ptt: true } },
  "SendDocumentMessage.content": { example: { mediaUrl: `${FILE}.pdf`, filename: "cardapio.pdf" } },
  "SendStickerMessage.content": { example: { mediaUrl: `${FILE}.webp` } },
};
