import { expect, test } from "vitest";
import { listResourceSettings } from "../packages/core/src/model/supported-settings.ts";
import { filesThatRead, parseSource, readSources } from "./support/setting-reads.ts";

/** Some rules for the options of connections are in the files of the strategies, and some for clients in one file. */
const isRule = /^model\/(connections\/(strategies\/|upstream\.ts)|clients\/client-demands\.ts)/;

const sources = readSources((file) => isRule.test(file) || !/^(model|management|operations)\//.test(file));

/** Settings that take effect only when the Management API writes a resource, with the file that applies them. */
const appliedOnWrite = new Map([
  ["Connection: enabled_clients", "management/connections/connections.ts"],
  ["Tenant: flags.enable_client_connections", "management/clients/clients.ts"],
]);

/** Returns the files that must read a setting of a resource, and the member that must be read near it. */
function expectedReaders(title: string): { readonly files: RegExp; readonly within?: string } {
  const files = /^(?!model\/)/;
  if (title === "Client") return { files: /^(?!model\/)|client-demands/ };
  if (title === "Brute-force protection") return { files, within: "brute_force_protection" };
  if (title === "Suspicious IP throttling") return { files, within: "suspicious_ip_throttling" };
  if (title === "Breached-password detection") return { files, within: "stage" };
  if (title === "Log stream") return { files: /log-streams|tenants\/delivery/ };
  if (title.startsWith("Email ")) return { files: /^messages\// };
  if (title.startsWith("Options of one-time codes")) return { files: /^messages\/|^identity\/login\/|\/passwordless-options/ };
  if (title.startsWith("Options of ") && !title.includes("`auth0`")) return { files: /upstream|^identity\/providers\/|^model\// };
  return { files };
}

/** Returns the settings that no source reads. */
function unread(title: string, settings: readonly string[]): readonly string[] {
  const { files, within } = expectedReaders(title);
  const relevant = sources.filter(({ file }) => files.test(file));
  return settings.filter((path) => {
    // `tenantFlags` reads the member `flags`, and its callers read the flags.
    const member = title === "Tenant" ? path.replace(/^flags\./, "") : path;
    const names = [...(within === undefined ? [] : [within]), ...member.split(".")];
    return !appliedOnWrite.has(`${title}: ${path}`) && filesThatRead(names, relevant).length === 0;
  });
}

test.each(listResourceSettings())("the code reads each supported setting: $title", ({ title, supported }) => {
  expect(unread(title, supported)).toEqual([]);
});

test.each([...appliedOnWrite])("the Management API applies the setting on write: %s", (setting, file) => {
  const [title = "", path = ""] = setting.split(": ");
  expect(listResourceSettings().find((each) => each.title === title)?.supported).toContain(path);
  const name = path.replace(/.*\./, "");
  const written = readSources((each) => each === file);
  expect(filesThatRead([name], written)).toEqual([file]);
});

test("finds a supported setting that no source reads", () => {
  expect(unread("Client", ["app_type", "never_read", "jwt_configuration.never_read", "never_read.enabled"])).toEqual([
    "never_read",
    "jwt_configuration.never_read",
    "never_read.enabled",
  ]);
});

test("finds a flag of a tenant that no source reads", () => {
  expect(unread("Tenant", ["flags.enable_dynamic_client_registration", "flags.never_read"])).toEqual(["flags.never_read"]);
});

test("finds a setting whose name is read only in files of other resources", () => {
  expect(unread("Options of Apple (strategy `apple`)", ["client_id", "session_cookie"])).toEqual(["session_cookie"]);
});

test("does not count declarations, types, comments and computed keys as reads", () => {
  const text = `
    // a.comment
    interface Row { readonly declared: string }
    const Schema = z.object({ property: z.string() });
    const written = { member: 1 };
    let typed: Row["indexed"];
    ["listed"].includes(x[key]);
  `;
  expect([...parseSource("look/file.ts", text).reads]).toEqual(["object", "string", "includes"]);
});

test("counts accesses, destructured members and names that are passed to a function as reads", () => {
  const text = `
    import { x } from "../http/x.ts";
    const { a, b: renamed, ...rest } = row;
    function f({ c = 1 }: Row) { return row.d + row["e"] + textIn(row, "f"); }
  `;
  const { reads, imports } = parseSource("look/file.ts", text);
  expect(["a", "b", "c", "d", "e", "f"].filter((name) => !reads.has(name))).toEqual([]);
  expect([...imports]).toEqual(["http/x.ts"]);
});

test("accepts parent names in a file that imports the reader of the last name", () => {
  const reader = parseSource("tokens/rotate.ts", "({ leeway }) => leeway");
  const caller = parseSource("oauth/token.ts", 'import { rotate } from "../tokens/rotate.ts"; rotate(client.refresh_token)');
  const unrelated = parseSource("auth/other.ts", "client.refresh_token");
  expect(filesThatRead(["refresh_token", "leeway"], [reader, caller])).toEqual(["tokens/rotate.ts"]);
  expect(filesThatRead(["refresh_token", "leeway"], [reader, unrelated])).toEqual([]);
});
