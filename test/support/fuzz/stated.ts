import type { Description, Operation } from "../description/description.ts";
import type { JsonSchema } from "../description/strict-schemas.ts";

const URL_RULE = /public HTTPS address|by HTTPS/;
const WEBHOOK = /required with `url`/;
const TOOL_SCHEMA = /JSON schema of the arguments: an object of at most 50 fields/;
const HEADERS = /Request headers to send/;
const HISTORY_FORMAT = /`evolution` or `waha`/;
const SESSION = /gzipped, in base64/;
const NEWSLETTER = /with or without `@newsletter`/;
const PERSON = /A number, a LID, a user id/;
const OF_A_TYPE = /The type decides|needs `credentials`/;
const OWN_TYPES = /One of the types of `GET \/v1\/(?:kinds|channel-types)`/;
const ALL_OF_ITS_KIND = /All credentials of its kind/;
const AHEAD = /at most a year ahead/;
const OFFICIAL = /In the form of the official API/;
const HOURS = { timeZone: /one of the IANA database/, weekly: /opens at least once/, dates: /no date is named twice/ };
const FITS = /Each value must fit the template/;
const PRICE = /only for MARKETING/;
const SECONDS = /UTILITY 30 to 43200/;
const CANNED = { shortcut: /letters, digits, _ and -/, shared: /A key has shared ones alone/ };

/**
 * TABLE: the rules that only the text of an operation states: by operation and field, the words of the description. If
 * the server refuses a field that the schemas allow, the rule is here.
 */
export const STATED: Record<string, Record<string, RegExp>> = {
  getNewsletter: { newsletterId: NEWSLETTER },
  updateNewsletter: {
    newsletterId: NEWSLETTER,
    name: /at least one is given/,
    picture: /One of `mediaUrl` and `base64`/,
  },
  deleteNewsletter: { newsletterId: NEWSLETTER },
  followNewsletter: { newsletterId: NEWSLETTER },
  unfollowNewsletter: { newsletterId: NEWSLETTER },
  muteNewsletter: { newsletterId: NEWSLETTER },
  unmuteNewsletter: { newsletterId: NEWSLETTER },
  watchNewsletter: { newsletterId: NEWSLETTER },
  listNewsletterMessages: { newsletterId: NEWSLETTER },
  reactToNewsletterMessage: { newsletterId: NEWSLETTER },
  changeChat: { muted: /Only one of `muted`/ },
  changeGroupChat: { muted: /Only one of `muted`/ },
  answerChat: { content: /As the body of a send/, commentId: /not beside `quotedMessageId`/ },
  addDocument: {
    sendable: /for the source OBJECT_FILE/,
    url: URL_RULE,
    objectKey: /`source` decides/,
    text: /`source` decides/,
  },
  beginTrialRun: { questions: /agent without questions is refused/ },
  changePassword: { currentPassword: /present password/ },
  changeOwnProfile: { picture: /exactly one of `mediaUrl` and `base64`/ },
  connectSocialAccount: { webhook: WEBHOOK },
  createAgentTool: { parameters: TOOL_SCHEMA, headers: HEADERS, url: URL_RULE },
  createCannedReply: CANNED,
  updateCannedReply: CANNED,
  snoozeChat: { until: /later than now, within a year/ },
  createBatch: {
    text: /either `text` or `template`/,
    template: /either `text` or `template`/,
    name: /A template must be an approved template/,
    startsAt: /at most a year ahead/,
    fallback: /another channel sends/,
  },
  putTrialSet: { questions: /either `facts` or a true `expectUnknown`/ },
  createApiKey: { expiresAt: /in the future/i, allowedAddresses: /IP addresses and CIDRs/ },
  createChannel: { type: OWN_TYPES, credentials: OF_A_TYPE, history: OF_A_TYPE },
  createCloudToken: { expiresAt: /in the future/i, allowedAddresses: /IP addresses and CIDRs/ },
  createGatewayKey: { expiresAt: /in the future/i, allowedAddresses: /IP addresses and CIDRs/ },
  createInvoice: {
    periodStart: /with `periodEnd`/,
    periodEnd: /exclusive, in the same month/,
    totalCents: /in place of a period/,
  },
  createOwnApiKey: { expiresAt: /in the future/i, allowedAddresses: /IP addresses and CIDRs/ },
  createPhone: { type: OWN_TYPES, credentials: OF_A_TYPE, proxy: OF_A_TYPE, history: OF_A_TYPE, webhook: WEBHOOK },
  createPlan: { metadata: /at most four decimals/ },
  createTemplate: {
    components: OFFICIAL,
    messageSendTtlSeconds: SECONDS,
    maxPricePer1000: PRICE,
    libraryTemplateButtonInputs: /buttons/,
  },
  createSharedWebhook: { headers: HEADERS },
  createWebhook: { headers: HEADERS },
  replaceWebhook: { headers: HEADERS },
  deleteUser: { password: /present password/ },
  embeddedSignup: { state: /this account began/, webhook: WEBHOOK },
  erasePerson: { person: PERSON },
  forecastBatch: {
    startsAt: AHEAD,
    template: /One of the channel's templates/,
    fallback: /One of the channel's templates/,
  },
  estimateCost: { template: /A template of the phone/ },
  exportPerson: { person: PERSON },
  beginHistoryImport: { format: HISTORY_FORMAT, phone: /was linked before/ },
  importHistory: { format: HISTORY_FORMAT, rows: /gzipped/, from: /the answer before/, run: /that was begun last/ },
  importSession: { session: SESSION },
  inspectHistory: { format: HISTORY_FORMAT, rows: /gzipped/ },
  inspectImport: { session: SESSION },
  issueApiKey: { expiresAt: /in the future/i, allowedAddresses: /IP addresses and CIDRs/ },
  keepEncodedFile: { base64: /in base64/, mimeType: /media type/ },
  replaceAgentTool: { parameters: TOOL_SCHEMA, headers: HEADERS, url: URL_RULE },
  reschedule: { scheduledAt: AHEAD },
  saveBillingCustomer: { cpfCnpj: /refused when its check digits/ },
  scheduleMessage: { scheduledAt: AHEAD, payload: /`payload` is checked now/ },
  sendAudio: { mediaUrl: URL_RULE },
  sendCheapest: { content: /`content` is checked against `type`/, template: /as the content of a template/ },
  sendDocument: { mediaUrl: URL_RULE, filename: /name of a file alone/ },
  sendGroupMessage: { payload: /checked by `type`/ },
  sendImage: { mediaUrl: URL_RULE },
  sendMessage: {
    content: /`content` is checked against `type`/,
    commentId: /not beside `quotedMessageId`/,
    fallback: /Another phone, which sends/,
  },
  sendPix: {
    key: /A wrong `key`/,
    amountCents: /a `code` of another amount/,
    code: /a `code` of another amount/,
    merchantName: /Latin/,
    merchantCity: /Latin/,
  },
  sendTemplate: {
    name: /name of an approved template/,
    variables: FITS,
    namedVariables: FITS,
    headerMedia: FITS,
    headerText: FITS,
    headerName: FITS,
    headerLocation: FITS,
    headerProduct: FITS,
    expiresAt: FITS,
    buttons: FITS,
    cards: FITS,
  },
  sendText: {
    mentions: /If the network has mentions/,
    linkPreview: /whose address stands in the text/,
    tag: /after the network's 24 hours/,
    quickReplies: /if the network supports them; each with an `id`/,
  },
  sendVideo: { mediaUrl: URL_RULE },
  setBusinessHours: HOURS,
  setPhoneBusinessHours: HOURS,
  undoHistoryImport: { accountId: /can be undone/ },
  setChatwoot: { token: /need `token`/, url: /without a query/ },
  setChannelCredentials: { credentials: ALL_OF_ITS_KIND },
  setPhoneCredentials: { credentials: ALL_OF_ITS_KIND },
  setGroupPicture: { mediaUrl: /Exactly one of `mediaUrl` and `base64`/, base64: /must be base64/ },
  setPhoneProxy: { url: /SESSION only/ },
  summarise: { messages: /not all blank/ },
  showPresence: { to: /need `to`/ },
  updateLlmIntegration: {
    apiKey: /needs `apiKey` too/,
    baseUrl: /Without fragment, and without a query/,
    embeddingApiKey: /another host than `baseUrl` `embeddingApiKey`/,
    embeddingBaseUrl: /in the same form as `baseUrl`/,
  },
  updatePhone: { type: /cannot be changed/, label: /cannot be changed/, webhook: WEBHOOK },
  updatePlan: { metadata: /at most four decimals/ },
  updateTemplate: { components: OFFICIAL, messageSendTtlSeconds: SECONDS, maxPricePer1000: PRICE },
  updateSharedWebhook: { headers: HEADERS },
  updateWebhook: { headers: HEADERS },
  uploadMedia: { mimeType: /media type, such as/, mediaUrl: URL_RULE },
  uploadMediaResumable: { mimeType: /media type, such as/, mediaUrl: URL_RULE },
};

/** TABLE: the rules of a field that every operation with the field states. */
export const STATED_EVERYWHERE: Record<string, RegExp> = {
  sendOptions: /`sendOptions` of its kind lists the fields/,
};

/** Every text of an operation's request: its own, and those of its parameters and schemas. */
export const textsOf = (description: Description, operation: Operation): string => {
  const request = { ...operation, responses: {} };
  const seen = new Set<string>();
  const texts = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(texts);
    if (typeof value !== "object" || value === null) return [];
    const { $ref, ...own } = value as JsonSchema & { $ref?: string };
    const referred = $ref === undefined || seen.has($ref) ? [] : texts(description.resolved({ $ref }));
    if ($ref !== undefined) seen.add($ref);
    const said = [own["summary"], own["description"]].filter((one) => typeof one === "string");
    return [...said, ...referred, ...Object.values(own).flatMap(texts)];
  };
  return texts(request).join("\n");
};
