// From: LTI Security 1.0, 5.1.1.2.
import { z } from "zod";

const one = z.string().optional().catch(undefined);
/** A repeated parameter counts as not sent. */
export const authorizationQuery = z.object({
  scope: one,
  response_type: one,
  response_mode: one,
  prompt: one,
  client_id: one,
  redirect_uri: one,
  login_hint: one,
  lti_message_hint: one,
  nonce: one,
  state: one,
});

export type AuthorizationRequest = z.output<typeof authorizationQuery>;
