/** The actions of each screen, with what their buttons say and their fields: see FlowAction in the OpenAPI document. */
const screens = {
  identifier: { continue: ["Continue", "identifier"] },
  password: { "sign-in": ["Sign in", "password"], "change-identifier": ["Somebody else"] },
  "create-account": { "create-account": ["Create account", "password"], "have-account": ["I have an account"] },
  "select-account": { "continue-as": ["Continue"], "other-account": ["Somebody else"] },
  "select-organization": { "select-organization": ["Choose", "organization"], "other-account": ["Somebody else"] },
  invitation: { "accept-invitation": ["Join"], "not-now": ["Not now"], "other-account": ["Somebody else"] },
  consent: { accept: ["Allow"], deny: ["Do not allow"], "other-account": ["Somebody else"] },
};

const main = document.querySelector("main");
const { flow } = main.dataset;
const state = new URLSearchParams(location.search).get("state") ?? "";

/** Asks what to show, or sends an action. After a refusal the screen is asked for anew, and says why. */
async function ask(sent) {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(sent) };
  const response = await fetch(sent ? flow : `${flow}?${new URLSearchParams({ state })}`, sent ? post : {});
  const reply = await response.json();
  if (response.ok) show(reply);
  else if (sent) await ask();
  else main.replaceChildren(element("p", { role: "alert", textContent: reply.error_description }));
}

/** Draws a screen: what it holds, then a form for each of its actions. */
function show({ csrf, screen, redirect_to: end }) {
  if (end !== undefined) return location.assign(end);
  const { name, problem, ...facts } = screen;
  // A screen of a newer version: the hosted pages go on with the same login.
  if (!(name in screens)) return location.assign(`${flow.replace("flow", "login")}?${new URLSearchParams({ state })}`);
  const shown = Object.entries(facts).map(([fact, value]) => element("p", { textContent: `${fact}: ${wordsOf(value)}` }));
  const alert = problem === undefined ? [] : [element("p", { role: "alert", textContent: problem })];
  const forms = Object.entries(screens[name]).map(([action, [label, field]]) => {
    const form = element("form", {}, field ? [fieldOf(field, facts)] : [], element("button", { textContent: label }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      form.querySelector("button").disabled = true;
      void ask({ state, csrf, action, ...Object.fromEntries(new FormData(form)) });
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

/** What a screen holds, as words. */
function wordsOf(value) {
  if (Array.isArray(value)) return value.map(wordsOf).join(", ");
  return typeof value === "object" ? (value.name ?? value.message ?? value.value ?? Object.values(value).map(wordsOf).join(" ")) : value;
}

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.flat());
  return made;
}

void ask();
