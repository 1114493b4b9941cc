import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { strategies } from "../../packages/core/src/model/connections/strategies.ts";
import { upstreamStrategy } from "../../packages/core/src/model/connections/upstream.ts";
import { stringMember } from "../support/api.ts";
import { addConnection } from "../support/client-connections.ts";
import { sendAuthorization, loginState, getFlow, openService, openStep, type LoginService } from "../support/flow.ts";
import { issuer } from "../support/postern.ts";
import { recorded } from "./recorded-providers.ts";

const names = Object.keys(strategies);

/** The strategies of identity providers. */
const providers = names.flatMap((name) => {
  const strategy = upstreamStrategy({ strategy: name });
  return strategy === undefined ? [] : [{ name, ...strategy }];
});

const read = (page: string): string => readFileSync(join(import.meta.dirname, "../../docs", page), "utf8");

/** The options that a connection needs to have a button. */
function optionsOf(name: string): object {
  const recording = new Map(Object.entries(recorded)).get(name);
  return recording?.options ?? { client_id: "we", issuer };
}

let service: LoginService;
let screen: unknown;
let page: string;

beforeAll(async () => {
  service = await openService();
  for (const { name } of providers) {
    const body = { name, strategy: name, show_as_button: true, options: optionsOf(name) };
    const id = stringMember(await service.manage.create("/api/v2/connections", body), "id");
    await addConnection(service.manage, service.web.clientId, id);
  }
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, service.web));
  ({ screen } = await getFlow(browser, state));
  page = await (await openStep(browser, state)).text();
});

describe("a strategy in the table of strategies", () => {
  test.each(names)("is in the OpenAPI document and in the settings reference: %s", async (name) => {
    const document = await service.postern.fetch(new Request(`${issuer}api/v2/spec`));
    expect(await document.json()).toHaveProperty(
      "components.schemas.CreateConnection.properties.strategy.enum",
      expect.arrayContaining([name]),
    );
    expect(read("reference/settings.md")).toMatch(new RegExp(`^## Options of .*\`${name}\``, "m"));
  });

  test.each(names)("has a connection with its default options: %s", async (name) => {
    const connection = await service.manage.create("/api/v2/connections", { name: `new-${name}`, strategy: name });
    expect(connection).toMatchObject({ strategy: name, options: strategies[name]?.defaults ?? {} });
  });
});

describe("an identity provider in the table of strategies", () => {
  test.each(providers)("has a button with its name and its mark: $name", ({ name, label, mark }) => {
    expect(screen).toHaveProperty("providers", expect.arrayContaining([{ connection: name, label, strategy: name }]));
    const [, button = ""] = page.split(`<input type="hidden" name="connection" value="${name}"/>`);
    const drawn = button.slice(0, button.indexOf("</button>"));
    expect(drawn).toContain(label);
    for (const [, path] of mark?.paths ?? []) expect(drawn).toContain(path);
    expect(drawn.includes("<svg")).toBe(mark !== undefined);
  });

  test.each(providers)("has a row in docs/connections.md that names its default button: $name", ({ name, kind }) => {
    const [row = ""] = read("connections.md").match(new RegExp(`^\\| \`${name}\`.*$`, "m")) ?? [];
    expect(row.split(" | ")[2]).toBe(kind === "social" ? "yes" : "no");
  });

  test.each(providers)("declares the parameter of the state: $name", ({ callback }) => {
    expect(Object.keys(callback.parameters)).toContain("state");
  });

  test("has a recorded sign-in, unless it is the generic OpenID Connect provider", () => {
    const withoutRecording = providers.map(({ name }) => name).filter((name) => !Object.hasOwn(recorded, name));
    expect(withoutRecording).toEqual(["oidc"]);
  });
});
