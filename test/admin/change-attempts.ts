import { expect } from "vitest";
import type { ConsoleBrowser, TestConsole } from "./console.ts";

/** Fields of the forms of the console, so that each form has some that it reads. */
export const attemptedFields = {
  action: "block",
  id: "x",
  name: "Changed",
  display_name: "Changed",
  description: "Changed",
  email: "changed@example.test",
  choice: "x",
  before: "[]",
  connection: "Username-Password-Authentication",
  password: "correct horse battery",
  credential: "password",
  app_type: "spa",
  domain: "changed.example.test",
  friendly_name: "Changed",
  confirm: "Confidential value",
  "sink.httpEndpoint": "https://changed.example.test/",
};

/**
 * Sends a form to every screen of the tenant `main`.
 * @returns the paths whose form wrote an audit event of the Management API.
 */
export async function changedBy(opened: TestConsole, browser: ConsoleBrowser, paths: readonly string[]): Promise<readonly string[]> {
  const changed: string[] = [];
  const [, token = ""] =
    /name="form_token" value="([^"]+)"/.exec(await (await browser.send(paths.find((path) => path.endsWith("shortcuts")) ?? "")).text()) ??
    [];
  const body = new URLSearchParams({ form_token: token, ...attemptedFields }).toString();
  const events = () => opened.service.data.collections.logs.count({ tenant_id: "main", type: { in: ["sapi", "mgmt_api_write"] } });
  let before = await events();
  for (const path of paths) {
    const { status } = await browser.send(path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body,
    });
    expect([path, status]).toEqual([path, expect.toSatisfy((one: number) => one < 500)]);
    const after = await events();
    if (after !== before) changed.push(path);
    before = after;
  }
  return changed;
}
