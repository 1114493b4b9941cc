import { expect, test } from "vitest";
import { callbackParameters, mergeParameters } from "./callbacks.ts";
import { google } from "./strategies/google-oauth2.ts";

test("the callback applies the largest maximum length if several strategies declare the same parameter", () => {
  const declaring = (code: number) => ({ ...google, callback: { ...google.callback, parameters: { state: 300, code } } });
  expect(mergeParameters({ a: declaring(5), b: declaring(9), c: declaring(7) })).toEqual({ state: 300, code: 9 });
});

test("the callback accepts the parameters of the known providers", () => {
  expect(callbackParameters).toEqual({ state: 300, code: 8000, iss: 2048, error: 300, error_description: 2000, user: 2000 });
});
