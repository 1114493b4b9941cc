import type { JSX } from "preact";
import { StateBadge } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { shownConnectionSchema, type ShownConnection } from "../resources.ts";
import { read } from "./read-parts.ts";
import { recordFrame } from "./record-frame.tsx";

const texts = consoleTexts.connections;

/** Returns the name by which pages show a connection. */
export function connectionName({ display_name: shown, name }: ShownConnection): string {
  return shown || name;
}

/** Whether the service supports the strategy of a connection. */
export function isSupported({ strategy }: ShownConnection): boolean {
  return Object.hasOwn(texts.strategies, strategy);
}

/** Whether users sign in at an identity provider, which redirects them back. */
export function isProvider(connection: ShownConnection): boolean {
  return isSupported(connection) && !["auth0", "email", "sms"].includes(connection.strategy);
}

/** Renders the strategy of a connection in words. */
export function StrategyName({ connection }: { readonly connection: ShownConnection }): JSX.Element {
  if (isSupported(connection)) return <>{texts.strategies[connection.strategy]}</>;
  return (
    <>
      <code>{connection.strategy}</code> <StateBadge level="warn">{texts.unsupported}</StateBadge>
    </>
  );
}

/** The pages of a connection's record. */
export const connectionFrame = recordFrame({
  section: "connections",
  tabs: texts.tabs,
  read: async ({ api, params: { id = "" } }) => shownConnectionSchema.parse(await read(api, ["connections", id])),
  idOf: (connection) => connection.id,
  nameOf: connectionName,
  deletion: {
    texts,
    collection: "connections",
    scope: "delete:connections",
    done: "connection-deleted",
    // The users of the connection are deleted with it, and cannot be restored.
    typed: (connection) => connection.name,
  },
  badges: (connection) =>
    isSupported(connection) ? (
      <StateBadge level={(connection.enabled_clients ?? []).length > 0 ? "good" : "plain"}>
        {texts.enabledApps((connection.enabled_clients ?? []).length)}
      </StateBadge>
    ) : (
      <StateBadge level="warn">{texts.unsupported}</StateBadge>
    ),
});
