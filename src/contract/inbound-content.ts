/** The content of an inbound message, in the shapes of message:received. */
export type InboundContent = Said & { content: Circumstances };

type Said =
  | { type: "text"; content: { text: string } }
  | {
      type: "image" | "video" | "audio" | "document" | "sticker";
      content: { caption?: string; mimeType: string; filename?: string; voice?: boolean; animated?: boolean };
    }
  | {
      type: "location";
      content: { latitude: number; longitude: number; name?: string; address?: string; url?: string };
    }
  | { type: "contact"; content: { contacts: unknown[] } }
  | { type: "button_reply"; content: { selectedId: string; text: string; description?: string } }
  /** A submitted form. `name` is its kind; `response` is what was entered, as text where it is not JSON. */
  | { type: "flow_reply"; content: { name: string; text?: string; response: unknown } }
  | { type: "order"; content: { catalogId: string | null; text?: string; items: OrderItem[] } }
  /** Whether the customer may be called. `expiresAt` is null for a permission without an end. */
  | {
      type: "call_permission_reply";
      content: { response: "accept" | "reject"; isPermanent: boolean; expiresAt: string | null; source?: string };
    }
  /** A question with options, of which each person may choose up to `maxSelections`. */
  | { type: "poll"; content: { question: string; options: string[]; maxSelections: number } }
  /** The person asks for our number, which the network does not show them. */
  | { type: "phone_number_request"; content: Record<never, never> }
  /** The person gives us their number, as digits; null where the network does not name it here. */
  | { type: "phone_number_share"; content: { phoneNumber: string | null } }
  /** The person wants to pay an order with a stored card. The ids are as the business named them. */
  | {
      type: "payment_method";
      content: { referenceId: string; credentialId: string | null; lastFourDigits: string | null };
    }
  /** A person opened the chat for the first time and has not written yet. */
  | { type: "request_welcome"; content: Record<never, never> }
  /**
   * A message of a type that has no shape here, by the name that its network gives the type, with what the network says
   * of it. `url`: where the network shows the message, for a while. `title`: its caption.
   */
  | { type: "unsupported"; content: { originalType: string; url?: string; title?: string; errors?: InboundError[] } };

type OrderItem = { productId: string; quantity: number | null; price: number | null; currency: string | null };
export type InboundError = { code: number; title: string; details?: string };

/** The context of a message, whatever its content. */
export type Circumstances = {
  /** Why the person sends a contact: `contact_request` answers a request for their number. */
  origin?: string;
  forwarded?: true;
  /** Forwarded more than five times. */
  frequentlyForwarded?: true;
  /** The advertisement or post that led the customer here. */
  referral?: Partial<Record<ReferralField, string>>;
  /** The product that the customer asks about. */
  referredProduct?: { catalogId: string | null; productId: string };
};

export type ReferralField =
  | "sourceUrl"
  | "sourceId"
  | "sourceType"
  | "headline"
  | "body"
  | "mediaType"
  | "imageUrl"
  | "videoUrl"
  | "thumbnailUrl"
  | "ctwaClid"
  | "welcomeText";
