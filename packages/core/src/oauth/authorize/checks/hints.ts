import { PosternError } from "../../../errors.ts";
import { readIdTokenHint } from "../../../tenants/callers/id-token-hint.ts";
import { clientOf, type Check } from "./check.ts";

/** Longest text of a hint. What is longer was not meant for a person to see. */
const longest = 1024;

/** Maximum characters of an `id_token_hint` that is stored for the identity provider. */
const maximumTokenHint = 4096;

/** Longest `state`: what an address can carry back. It is kept with every login session, also of whoever never signs in. */
const longestState = 8192;

/** What helps the pages: who it probably is, which language, which screen. Hints are never trusted, only shown. */
export const checkHints: Check = async (checked) => {
  const { login_hint: loginHint, ui_locales: uiLocales, screen_hint: screenHint, id_token_hint: idTokenHint, state } = checked.sent;
  if (state !== undefined) {
    if (state.length > longestState) throw new PosternError("invalid_request", `'state' is longer than ${longestState} characters`);
    checked.request.state = state;
  }
  if (loginHint !== undefined && loginHint.length <= longest) checked.request.login_hint = loginHint;
  if (uiLocales !== undefined && uiLocales.length <= longest) checked.request.ui_locales = uiLocales;
  if (screenHint !== undefined && screenHint.length <= longest) checked.request.screen_hint = screenHint;
  const { acr_values: acrValues, display } = checked.sent;
  if (acrValues !== undefined && acrValues.length <= longest) checked.request.acr_values = acrValues;
  if (display !== undefined && display.length <= longest) checked.request.display = display;
  if (idTokenHint !== undefined && idTokenHint !== "") {
    const hint = await readIdTokenHint(checked.tenant, idTokenHint);
    if (hint?.clientId !== clientOf(checked).record.client_id) {
      throw new PosternError("invalid_request", "'id_token_hint' was not issued here to this client");
    }
    checked.request.hinted_user_id = hint.userId;
    if (idTokenHint.length <= maximumTokenHint) checked.request.id_token_hint = idTokenHint;
  }
};
