/**
 * The actions of each screen, each with its button label and its form field. See FlowAction in the OpenAPI document.
 */
const screens = {
  identifier: { continue: ["Continue", "identifier"] },
  password: { "sign-in": ["Sign in", "password"], "change-identifier": ["Use another account"] },
  "create-account": { "create-account": ["Create account", "password"], "have-account": ["I have an account"] },
  "select-account": { "continue-as": ["Continue"], "other-account": ["Use another account"] },
  "select-organization": { "select-organization": ["Choose", "organization"], "other-account": ["Use another account"] },
  invitation: { "accept-invitation": ["Join"], "not-now": ["Not now"], "other-account": ["Use another account"] },
  consent: { accept: ["Allow"], deny: ["Do not allow"], "other-account": ["Use another account"] },
};

const main = document.querySelector("main");
const { flow } = main.dataset;
const state = new URLSearchParams(location.search).get("state") ?? "";

/**
 * Requests the current screen, or sends an action. If an action is rejected, requests the screen again, which then
 * contains the reason.
 */
async function request(sent) {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(sent) };
  const response = await fetch(sent ? flow : `${flow}?${new URLSearchParams({ state })}`, sent ? post : {});
  const reply = await response.json();
  if (response.ok) show(reply);
  else if (sent) await request();
  else main.replaceChildren(element("p", { role: "alert", textContent: reply.error_description }));
}

/** Renders a screen: its members as text, then a form for each of its actions. */
function show({ csrf, screen, redirect_to: redirectTo }) {
  if (redirectTo !== undefined) return location.assign(redirectTo);
  const { name, problem, ...facts } = screen;
  // The hosted pages continue the login at a screen that this page does not support.
  if (!(name in screens)) return location.assign(`${flow.replace("flow", "login")}?${new URLSearchParams({ state })}`);
  const shown = Object.entries(facts).map(([fact, value]) => element("p", { textContent: `${fact}: ${textOf(value)}` }));
  const alert = problem === undefined ? [] : [element("p", { role: "alert", textContent: problem })];
  const forms = Object.entries(screens[name]).map(([action, [label, field]]) => {
    const form = element("form", {}, field ? [fieldOf(field, facts)] : [], element("button", { textContent: label }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      form.querySelector("button").disabled = true;
      void request({ state, csrf, action, ...Object.fromEntries(new FormData(form)) });
    });
    return form;
  });
  main.replaceChildren(element("h1", { textContent: name }), ...alert, ...shown, ...forms);
}

function fieldOf(name, { identifier = "", organizations = [] }) {
  const options = organizations.map(({ id, name: textContent }) => element("option", { value: id, textContent }));
  if (name === "organization") return element("label", { textContent: name }, element("select", { name }, options));
  const input = { name, type: name === "password" ? "password" : "text", value: name === "identifier" ? identifier : "" };
  return element("label", { textContent: name }, element("input", input));
}

/** Returns a member of a screen as text. */
function textOf(value) {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  if (value.unverified) return `${value.documentHost ?? "an app"}, which calls itself “${value.name}”. Nobody has checked this name`;
  return typeof value === "object" ? (value.name ?? value.message ?? value.value ?? Object.values(value).map(textOf).join(" ")) : value;
}

function element(tag, properties, ...children) {
  const created = Object.assign(document.createElement(tag), properties);
  created.append(...children.flat());
  return created;
}

void request();
