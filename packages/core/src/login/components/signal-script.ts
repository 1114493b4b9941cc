/** The argument of `PublicKeyCredential.signalAllAcceptedCredentials()` (WebAuthn Level 3, section 5.1.10). */
export interface AcceptedCredentials {
  readonly rpId: string;
  /** The user handle in base64url. */
  readonly userId: string;
  /** The ids of the user's credentials in base64url. */
  readonly allAcceptedCredentialIds: readonly string[];
}

/**
 * The script that tells the browser which credentials still exist after one was removed, so that it no longer offers the
 * others. Does nothing in a browser without the Signal API.
 */
export const signalScript = `
  document.querySelectorAll("[data-accepted-credentials]").forEach(function (element) {
    var type = window.PublicKeyCredential;
    if (!type || !type.signalAllAcceptedCredentials) return;
    type.signalAllAcceptedCredentials(JSON.parse(element.getAttribute("data-accepted-credentials"))).catch(function () {});
  });
`;
