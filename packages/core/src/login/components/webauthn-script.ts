/**
 * The script for `WebauthnForm`. A click on the button starts the browser's dialog for a passkey or security key, whose
 * result is then submitted. If the user cancels the dialog, the page says that they can retry. Browsers without the JSON
 * functions of WebAuthn Level 3 need the conversions; so do pages in which an extension has replaced the credential.
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
  function requestKey(button) {
    var options = JSON.parse(button.getAttribute("data-key-options")), type = window.PublicKeyCredential;
    var parse = options.user ? type.parseCreationOptionsFromJSON : type.parseRequestOptionsFromJSON;
    var publicKey = parse ? parse.call(type, options) : fromJson(options);
    return options.user ? navigator.credentials.create({ publicKey: publicKey }) : navigator.credentials.get({ publicKey: publicKey });
  }
  if (window.PublicKeyCredential && navigator.credentials) document.querySelectorAll("[data-key-options]").forEach(function (button) {
    var form = button.form, failed = form.querySelector(".key-failed"), waits = false;
    form.querySelector(".key-unsupported").hidden = true;
    button.hidden = false;
    button.addEventListener("click", function (event) {
      if (form.elements.response.value) return;
      event.preventDefault();
      if (waits) return;
      var reported = document.getElementById("problem");
      if (reported) reported.remove();
      waits = failed.hidden = true;
      button.setAttribute("aria-busy", "true");
      new Promise(function (resolve) { resolve(requestKey(button)); }).then(toJson).then(function (response) {
        form.elements.response.value = response;
        button.click();
      }, function () {
        waits = failed.hidden = false;
        button.removeAttribute("aria-busy");
      });
    });
  });
`;
