import { normalizeMessageContent, proto } from "@whiskeysockets/baileys";

const { HD_IMAGE_DUAL_UPLOAD } = proto.MessageAssociation.AssociationType;
const { HD_IMAGE_CHILD, SD_IMAGE_PARENT } = proto.ContextInfo.PairedMediaType;

type Came = { id: string; chat: string; from: string; isOwn: boolean; message: proto.IMessage };

const pictureIn = (message: proto.IMessage): proto.Message.IImageMessage | undefined =>
  normalizeMessageContent(message)?.imageMessage ?? undefined;

/** Whether one picture is larger than the other in no direction smaller. */
const isLarger = (one: proto.Message.IImageMessage, other: proto.Message.IImageMessage): boolean => {
  const [width, height] = [(one.width ?? 0) - (other.width ?? 0), (one.height ?? 0) - (other.height ?? 0)];
  return width >= 0 && height >= 0 && width + height > 0;
};

/**
 * Whether a picture is shown as the better one of a pair: as WhatsApp Web makes and checks pairs. It is of the
 * sender and chat of the other, which says that it is the smaller one, and has no words of its own. True for every
 * other message.
 */
export const isOfPair = (came: Came, before: readonly Came[]): boolean => {
  const { associationType, parentMessageKey: key } = came.message.messageContextInfo?.messageAssociation ?? {};
  if (associationType !== HD_IMAGE_DUAL_UPLOAD) return true;
  const better = pictureIn(came.message);
  const parent = before.find(
    ({ id, chat, from, isOwn }) => id === key?.id && chat === came.chat && from === came.from && isOwn === came.isOwn,
  );
  const shown = parent && pictureIn(parent.message);
  return (
    key?.fromMe === true &&
    better?.contextInfo?.pairedMediaType === HD_IMAGE_CHILD &&
    shown?.contextInfo?.pairedMediaType === SD_IMAGE_PARENT &&
    isLarger(better, shown) &&
    !better.caption
  );
};
