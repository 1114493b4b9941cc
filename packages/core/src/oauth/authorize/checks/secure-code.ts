import { PosternError } from "../../../errors.ts";
import { demandsOn } from "../../../model/clients/client-demands.ts";
import { clientOf, type AuthorizationCheck } from "./check.ts";

/** Requires a code alone, PKCE and an https redirect URI, if the client's compliance level does (FAPI 2.0 section 5.3.2.2). */
export const checkSecureCode: AuthorizationCheck = (checked) => {
  const client = clientOf(checked);
  if (!demandsOn(client).secureCode) return;
  const { response_type: types = [], code_challenge: challenge, redirect_uri: uri = "", redirect_uri_given: isGiven } = checked.request;
  const refuse = (problem: string) => new PosternError("invalid_request", `the compliance level of the client requires ${problem}`);
  if (types.join(" ") !== "code") throw refuse("response_type=code");
  if (challenge === undefined) throw refuse("a code_challenge");
  if (isGiven !== true) throw refuse("a redirect_uri");
  const isLoopback = client.record.app_type === "native" && /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d+)?\//.test(uri);
  if (!uri.startsWith("https://") && !isLoopback) throw refuse("an https redirect_uri");
};
