import { Card } from "../components/blocks.tsx";
import { ExactValue } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { shownConnectionSchema } from "../resources.ts";
import { ScreenNotFound, type ConsoleScreen, type ScreenRequest } from "../screen.ts";
import { strategyFields } from "./connection-options.ts";
import { isSecretField } from "./form-fields.ts";
import { change } from "./read-parts.ts";
import { newForm } from "./record-form.tsx";

const texts = consoleTexts.connections;

const trail = ({ links }: ScreenRequest) => [{ text: texts.title, href: links.to(["connections"]) }];

/** The first step: the kind of connection. */
const chooseScreen: ConsoleScreen = {
  path: "/connections/new",
  show: (request) => ({
    title: texts.new,
    section: "connections",
    trail: trail(request),
    body: (
      <Card title={texts.choose} about={texts.chooseAbout}>
        <ul class="tiles">
          {Object.entries(texts.strategies).map(([strategy, title]) => (
            <li key={strategy}>
              <a href={request.links.to(["connections", "new", strategy])}>
                <strong>{title}</strong>
                <span class="soft">{texts.strategiesAbout[strategy]}</span>
              </a>
            </li>
          ))}
        </ul>
      </Card>
    ),
  }),
};

/** Returns the chosen strategy. @throws {ScreenNotFound} if the service does not support it. */
function chosenStrategy({ params: { strategy = "" } }: ScreenRequest): string {
  if (!Object.hasOwn(texts.strategies, strategy)) throw new ScreenNotFound();
  return strategy;
}

/** The second step: the settings of the connection, with the callback URL that the provider needs. */
const settingsScreen = newForm({
  path: "/connections/new/:strategy",
  title: texts.settings,
  needsRecentSignIn: true,
  submit: texts.create,
  fields: (request) => [
    { name: "name", label: texts.name, hint: texts.nameHint, kind: "line", required: true },
    { name: "display_name", label: texts.displayName, hint: texts.displayNameHint, kind: "line" },
    ...strategyFields(chosenStrategy(request)).map((field) => (isSecretField(field) ? { ...field, hint: texts.newSecretHint } : field)),
  ],
  page: (request, form) => {
    const strategy = chosenStrategy(request);
    return {
      title: texts.strategies[strategy] ?? texts.new,
      section: "connections",
      trail: [...trail(request), { text: texts.new, href: request.links.to(["connections", "new"]) }],
      body: (
        <div class="stack">
          {!["auth0", "email", "sms"].includes(strategy) && (
            <Card title={texts.register} about={texts.registerAbout}>
              <p class="in">
                {`${texts.callback}: `}
                <ExactValue value={`${request.issuer}login/callback`} what={texts.callback} />
              </p>
            </Card>
          )}
          {form}
        </div>
      ),
    };
  },
  create: async (request, body) => {
    const created = await change(request.api, "POST", ["connections"], { ...body, strategy: chosenStrategy(request) });
    const { id } = shownConnectionSchema.parse(created);
    // The next step is the choice of apps.
    return request.links.to(["connections", id, "apps"], { done: "connection-created" });
  },
  cancel: ({ links }) => links.to(["connections", "new"]),
});

/** The screens that create a connection. */
export const newConnectionScreens: readonly ConsoleScreen[] = [chooseScreen, settingsScreen];
