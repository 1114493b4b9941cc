import { PosternError } from "../../../errors.ts";
import { readIdTokenHint } from "../../../tenants/callers/id-token-hint.ts";
import { clientOf, type AuthorizationCheck } from "./check.ts";

/** Maximum characters of a hint. Longer hints are ignored. */
const maximumHint = 1024;

/** Maximum characters of an `id_token_hint` that is stored for the identity provider. */
const maximumTokenHint = 4096;

/** Maximum characters of `state`. The value is stored with every login session, and returned in a URL. */
const maximumState = 8192;

/**
 * Reads `state`, and the hints for the login pages: the probable user, the language, the screen. Only `id_token_hint`
 * is verified.
 */
export const checkHints: AuthorizationCheck = async (checked) => {
  const { login_hint: loginHint, ui_locales: uiLocales, screen_hint: screenHint, id_token_hint: idTokenHint, state } = checked.sent;
  if (state !== undefined) {
    if (state.length > maximumState) throw new PosternError("invalid_request", `'state' is longer than ${maximumState} characters`);
    checked.request.state = state;
  }
  if (loginHint !== undefined && loginHint.length <= maximumHint) checked.request.login_hint = loginHint;
  if (uiLocales !== undefined && uiLocales.length <= maximumHint) checked.request.ui_locales = uiLocales;
  if (screenHint !== undefined && screenHint.length <= maximumHint) checked.request.screen_hint = screenHint;
  const { acr_values: acrValues, display } = checked.sent;
  if (acrValues !== undefined && acrValues.length <= maximumHint) checked.request.acr_values = acrValues;
  if (display !== undefined && display.length <= maximumHint) checked.request.display = display;
  if (idTokenHint !== undefined && idTokenHint !== "") {
    const hint = await readIdTokenHint(checked.tenant, idTokenHint);
    if (hint?.clientId !== clientOf(checked).record.client_id) {
      throw new PosternError("invalid_request", "'id_token_hint' was not issued by this tenant to this client");
    }
    checked.request.hinted_user_id = hint.userId;
    if (idTokenHint.length <= maximumTokenHint) checked.request.id_token_hint = idTokenHint;
  }
};
