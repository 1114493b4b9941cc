/** The argument of `PublicKeyCredential.signalAllAcceptedCredentials()` (WebAuthn Level 3, section 5.1.10). */
export interface AcceptedCredentials {
  readonly rpId: string;
  /** The user handle in base64url. */
  readonly userId: string;
  /** The ids of the user's credentials in base64url. */
  readonly allAcceptedCredentialIds: readonly string[];
}

/** The argument of `PublicKeyCredential.signalUnknownCredential()` (WebAuthn Level 3, section 5.1.10). */
export interface UnknownCredential {
  readonly rpId: string;
  /** The id of the credential in base64url. */
  readonly credentialId: string;
}

/**
 * The script that tells the browser which credentials of a signed-in user still exist, and which submitted credential does
 * not exist, so that it no longer offers the others. Does nothing in a browser without the Signal API.
 */
export const signalScript = `
  function signal(attribute, method) {
    document.querySelectorAll("[" + attribute + "]").forEach(function (element) {
      var type = window.PublicKeyCredential;
      if (!type || !type[method]) return;
      type[method](JSON.parse(element.getAttribute(attribute))).catch(function () {});
    });
  }
  signal("data-accepted-credentials", "signalAllAcceptedCredentials");
  signal("data-unknown-credential", "signalUnknownCredential");
`;
