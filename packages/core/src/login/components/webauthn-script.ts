/**
 * The script for passkeys and security keys: `WebauthnForm` and `PasskeySignIn`. A click on the button starts the
 * browser's dialog, whose result is then submitted. While the browser waits, the page says so, and the user can choose
 * another way. If the user cancels the dialog, the page says that they can retry.
 *
 * - With `data-key-autofill`, the browser also offers passkeys in the field for the identifier, until the button is
 *   clicked.
 * - With `data-key-conditional`, a password manager may create a passkey without a prompt while the page is open
 *   (conditional create).
 * - A field `passkeys` is set to `available`, and a button with `data-needs-passkeys` is shown, if the browser can create
 *   a passkey on the device.
 *
 * Browsers without the JSON functions of WebAuthn Level 3 need the conversions; so do pages in which an extension has
 * replaced the credential.
 */
export const webauthnScript = `
  function decodeBytes(text) {
    return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), function (character) { return character.charCodeAt(0); });
  }
  function encodeBytes(buffer) {
    var text = Array.prototype.map.call(new Uint8Array(buffer), function (byte) { return String.fromCharCode(byte); }).join("");
    return btoa(text).replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=+$/, "");
  }
  function fromJson(options) {
    function withBytes(item) { return Object.assign({}, item, { id: decodeBytes(item.id) }); }
    var parsed = Object.assign({}, options, { challenge: decodeBytes(options.challenge) });
    if (options.user) parsed.user = withBytes(options.user);
    if (options.excludeCredentials) parsed.excludeCredentials = options.excludeCredentials.map(withBytes);
    if (options.allowCredentials) parsed.allowCredentials = options.allowCredentials.map(withBytes);
    return parsed;
  }
  function toJson(credential) {
    try { return JSON.stringify(credential.toJSON()); } catch (unsupported) {}
    var from = credential.response, response = { clientDataJSON: encodeBytes(from.clientDataJSON) };
    ["attestationObject", "authenticatorData", "signature", "userHandle"].forEach(function (name) {
      if (name === "authenticatorData" && from.attestationObject) return;
      if (from[name]) response[name] = encodeBytes(from[name]);
    });
    if (from.getTransports) response.transports = from.getTransports();
    return JSON.stringify({
      id: credential.id,
      rawId: encodeBytes(credential.rawId),
      type: credential.type,
      authenticatorAttachment: credential.authenticatorAttachment,
      clientExtensionResults: {},
      response: response
    });
  }
  var waiting;
  function requestKey(json, mediation) {
    if (waiting) waiting.abort();
    waiting = window.AbortController && new AbortController();
    var options = JSON.parse(json), type = window.PublicKeyCredential;
    var parse = options.user ? type.parseCreationOptionsFromJSON : type.parseRequestOptionsFromJSON;
    var request = { publicKey: parse ? parse.call(type, options) : fromJson(options), signal: waiting && waiting.signal };
    if (mediation) request.mediation = mediation;
    return options.user ? navigator.credentials.create(request) : navigator.credentials.get(request);
  }
  function supports(check) {
    return new Promise(function (resolve) { resolve(check()); }).catch(function () { return false; });
  }
  function submitKey(button, credential) {
    var response = toJson(credential);
    button.form.elements.response.value = response;
    button.click();
  }
  if (window.PublicKeyCredential && navigator.credentials) document.querySelectorAll("[data-key-options]").forEach(function (button) {
    var form = button.form, failed = form.querySelector(".key-failed"), unsupported = form.querySelector(".key-unsupported"), waits = false;
    var state = form.querySelector(".key-waiting");
    function report(text) { state.textContent = text; }
    var section = button.closest("[data-key-section]"), conditional = button.getAttribute("data-key-conditional");
    function autofill() {
      if (button.hasAttribute("data-key-autofill")) supports(function () {
        return PublicKeyCredential.isConditionalMediationAvailable();
      }).then(function (available) {
        return available && !waits && requestKey(button.getAttribute("data-key-options"), "conditional");
      }).then(function (credential) {
        if (credential) submitKey(button, credential);
      }).catch(function () {});
    }
    form.elements.response.value = "";
    if (unsupported) unsupported.hidden = true;
    button.hidden = false;
    document.querySelectorAll("[data-key-lead]").forEach(function (lead) { lead.hidden = false; });
    if (section) section.hidden = section.hasAttribute("data-key-silent");
    button.addEventListener("click", function (event) {
      if (form.elements.response.value) return;
      event.preventDefault();
      if (waits) return;
      var reported = document.getElementById("problem");
      if (reported) reported.remove();
      waits = failed.hidden = true;
      button.setAttribute("aria-busy", "true");
      report(state.getAttribute("data-waiting"));
      new Promise(function (resolve) { resolve(requestKey(button.getAttribute("data-key-options"))); }).then(function (credential) {
        submitKey(button, credential);
      }).catch(function () {
        waits = failed.hidden = false;
        report("");
        button.removeAttribute("aria-busy");
        autofill();
      });
    });
    autofill();
    if (conditional) supports(function () {
      return PublicKeyCredential.getClientCapabilities().then(function (capabilities) { return capabilities.conditionalCreate; });
    }).then(function (available) {
      return available && !waits && requestKey(conditional, "conditional");
    }).then(function (credential) {
      if (!credential) return;
      form.elements.mode.value = "conditional";
      submitKey(button, credential);
    }).catch(function () {});
  });
  var fields = document.querySelectorAll("input[name=passkeys]");
  if (fields.length > 0 || document.querySelector("[data-needs-passkeys]")) supports(function () {
    return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable();
  }).then(function (available) {
    fields.forEach(function (field) { field.value = available ? "available" : ""; });
    document.querySelectorAll("[data-needs-passkeys]").forEach(function (button) { button.hidden = !available; });
  });
`;
