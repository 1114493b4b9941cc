import { expect, test } from "vitest";
import { acceptedCallbacks, callbacks } from "./callbacks.ts";
import { strategies } from "./strategies.ts";
import { google } from "./strategies/google-oauth2.ts";

test("the callback accepts the query parameters of every strategy, and form parameters only of strategies that declare POST", () => {
  const saml = {
    ...google,
    callback: { method: "POST", state: "RelayState", parameters: { SAMLResponse: 200_000, RelayState: 300 } },
  } as const;
  const oauth = { ...google, callback: { method: "GET", state: "state", parameters: { state: 300, code: 10 } } } as const;
  expect(acceptedCallbacks({ ...strategies, saml })).toMatchObject({
    query: { ...callbacks.query, SAMLResponse: 200_000, RelayState: 300 },
    form: { ...callbacks.form, SAMLResponse: 200_000, RelayState: 300 },
    states: ["state", "RelayState"],
  });
  expect(acceptedCallbacks({ oauth })).toEqual({ query: { state: 300, code: 10 }, form: {}, states: ["state"] });
});

test("the callback applies the largest maximum length if several strategies declare the same parameter", () => {
  const declaring = (code: number) => ({ ...google, callback: { ...google.callback, parameters: { state: 300, code } } });
  expect(acceptedCallbacks({ a: declaring(5), b: declaring(9), c: declaring(7) }).query).toEqual({ state: 300, code: 9 });
});

test("the callback accepts the query parameters of the known providers and the form parameters of Apple", () => {
  const lengths = { state: 300, code: 8000, iss: 2048, error: 300, error_description: 2000, user: 2000 };
  expect(callbacks).toEqual({ query: lengths, form: lengths, states: ["state"] });
});
