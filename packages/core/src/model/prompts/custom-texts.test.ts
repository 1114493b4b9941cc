import { expect, test } from "vitest";
import { promptNameSchema, screenNameSchema, textLanguageSchema } from "./names.ts";
import { findTextFault, customPageTexts } from "./custom-texts.ts";
import { textTags } from "./text-tags.ts";
import { pageTexts } from "./page-texts.ts";

test("the table of page texts contains only Auth0's prompts and screens", () => {
  expect(promptNameSchema.options).toEqual(expect.arrayContaining(pageTexts.map(({ prompt }) => prompt)));
  expect(screenNameSchema.options).toEqual(expect.arrayContaining(pageTexts.map(({ screen }) => screen)));
});

test("the texts of a prompt are mapped to the messages of its pages, and a later entry of the table overrides an earlier entry", () => {
  const login = { prompt: "login", texts: { login: { title: "Hello", buttonText: "Go", passwordPlaceholder: "Secret" } } };
  const loginId = { prompt: "login-id", texts: { "login-id": { title: "Hi" }, login: { buttonText: "Elsewhere" } } };
  const found = customPageTexts([loginId, login]);
  expect(found.get("identifier")).toEqual(
    new Map([
      ["identifierTitle", "Hi"],
      ["identifierContinue", "Go"],
    ]),
  );
  expect(found.get("password")).toEqual(
    new Map([
      ["passwordSubmit", "Go"],
      ["passwordLabel", "Secret"],
    ]),
  );
  expect([...found.keys()]).toEqual(["identifier", "password"]);
});

test.each([
  ["nothing was stored", {}],
  ["a text is empty", { consent: { title: "", acceptButtonText: " \n" } }],
  ["a stored value is not a text", { consent: { title: 7 } }],
  ["a screen is not an object", { consent: "title" }],
  ["a key is the name of a member of Object.prototype", { consent: { constructor: "a", toString: "b" }, constructor: { title: "c" } }],
])("a page uses the built-in texts if %s", (_, texts) => {
  expect(customPageTexts([{ prompt: "consent", texts }])).toEqual(new Map());
});

test.each([
  ["de", ["de"]],
  ["de-AT", ["de"]],
  ["pt-BR", ["pt", "pt-BR"]],
  ["zh-HK", ["zh-HK"]],
  ["xx", []],
])("a page in the language %s uses the texts in %j", (tag, tags) => expect(textTags(tag)).toEqual(tags));

test("custom texts can be stored in Auth0's languages", () => expect(textLanguageSchema.options.length).toBeGreaterThan(80));

test.each([
  ["Log in to ${companyName} as ${ clientName }", "login", "login", "title", undefined],
  ["${inviterName} invites you", "invitation", "accept-invitation", "description", undefined],
  ["${inviterName} invites you", "login", "login", "title", "\\$\\{inviterName\\} is not available here; use .*\\$\\{clientName\\}"],
  ["${constructor}", "login", "login", "title", "\\$\\{constructor\\}"],
  ["${user.email}", "consent", "consent", "title", "\\$\\{user.email\\}"],
  ["${anything}", "login", "login", "a key that no page uses", undefined],
  ["${anything}", "login", "a screen that no page uses", "title", undefined],
  ["{braces} $ ${ {client} $clientName", "login", "login", "title", undefined],
])("the placeholders in %j are validated in a text of the prompt %s", (text, prompt, screen, key, fault) => {
  const found = findTextFault(prompt, { [screen]: { [key]: text } });
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(new RegExp(`'${screen}.${key}'.*${fault}`));
});
