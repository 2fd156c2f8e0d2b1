import type { Handler } from "../call.ts";
import { getPublicKey, setPublicKey } from "../flows/encryption.ts";
import { createFlow, deleteFlow, getFlow, listFlows, updateFlow, uploadFlowJson } from "../flows/management.ts";
import { deprecateFlow, publishFlow } from "../flows/publish.ts";
import { updateNumber } from "../numbers.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { requestSync } from "./coexistence.ts";
import { getUsername, removeUsername, requestCode, setUsername, suggestUsernames, verifyCode } from "./ownership.ts";
import { getProfile, updateProfile } from "./profile.ts";
import { exchangeCode } from "./signup.ts";

/** The endpoints of embedded signup, the business app, the business profile and flows. */
export const onboardingRoutes = (webhooks: Webhooks): Record<string, Handler> => ({
  "GET oauth/access_token": exchangeCode,
  "POST oauth/access_token": exchangeCode,
  "POST number": updateNumber,
  "POST number/request_code": requestCode,
  "POST number/verify_code": verifyCode,
  "GET number/username": getUsername,
  "POST number/username": setUsername,
  "DELETE number/username": removeUsername,
  "GET number/username_suggestions": suggestUsernames,
  "POST number/smb_app_data": requestSync,
  "GET number/whatsapp_business_profile": getProfile,
  "POST number/whatsapp_business_profile": updateProfile,
  "GET number/whatsapp_business_encryption": getPublicKey,
  "POST number/whatsapp_business_encryption": setPublicKey,
  "GET account/flows": listFlows,
  "POST account/flows": createFlow(webhooks),
  "GET flow": getFlow,
  "POST flow": updateFlow,
  "DELETE flow": deleteFlow,
  "POST flow/assets": uploadFlowJson,
  "POST flow/publish": publishFlow(webhooks),
  "POST flow/deprecate": deprecateFlow(webhooks),
});
