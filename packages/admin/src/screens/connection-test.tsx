import { Card, NoticeBox } from "../components/blocks.tsx";
import { ExactValue } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { ManagementError } from "../management-error.ts";
import { redirectTo, ScreenNotFound, type ConsoleScreen, type ScreenRequest } from "../screen.ts";
import { connectionFrame, isProvider } from "./connection-frame.tsx";
import { ConnectionTestView, startedTestSchema, testResultSchema, type TestResult } from "./connection-test-result.tsx";
import { change } from "./read-parts.ts";

const texts = consoleTexts.connections;

const startPath = ({ links }: ScreenRequest, id: string): string => links.to(["connections", id, "try", "start"]);

/** The tab that explains a test sign-in, with the link that starts it. */
const tryScreen = connectionFrame.tab({
  tab: "try",
  read: async () => undefined,
  body: (_, request, connection) => (
    <Card title={texts.tabs.try} {...(isProvider(connection) && { about: texts.try.about })}>
      <div class="in form">
        {isProvider(connection) ? (
          <>
            <p>{texts.try.steps}</p>
            <p class="hint">
              {texts.try.refusedThere} <ExactValue value={`${request.issuer}login/callback`} what={texts.callback} />
            </p>
            <p class="actions">
              <a class="button main" href={startPath(request, connection.id)}>
                {texts.try.start}
              </a>
            </p>
          </>
        ) : (
          <p>{texts.try.local}</p>
        )}
      </div>
    </Card>
  ),
});

/**
 * Starts a test sign-in. It is a link and not a form, because the Content-Security-Policy lets a form lead only to the
 * console and the service, and this leads to a provider.
 */
const startScreen: ConsoleScreen = {
  path: "/connections/:id/try/start",
  needsRecentSignIn: true,
  async show({ api, links, origin, params: { id = "" } }) {
    const returnUrl = new URL(links.to(["connections", id, "try", "result"]), origin).href;
    const started = await change(api, "POST", ["connections", id, "test"], { return_url: returnUrl });
    return redirectTo(startedTestSchema.parse(started).url);
  },
};

/** The page to which the browser returns from the provider. */
const resultScreen: ConsoleScreen = {
  path: "/connections/:id/try/result",
  showsOnce: true,
  async show(request) {
    const { api, params, query } = request;
    const { id = "" } = params;
    const response = query.get("response");
    if (response === null) throw new ScreenNotFound();
    // Read first, because the result can be requested only once.
    const connection = await connectionFrame.read(request);
    const result = await readResult(api, id, response);
    const again = (
      <a class="button" href={startPath(request, connection.id)}>
        {texts.try.again}
      </a>
    );
    const { refusal } = result;
    const body =
      refusal !== undefined ? (
        <Card title={texts.tabs.try}>
          <div class="in">
            <NoticeBox level="bad">{refusal.message}</NoticeBox>
          </div>
        </Card>
      ) : (
        <ConnectionTestView result={result.value} />
      );
    return {
      ...connectionFrame.page(request, connection, "try", body, again),
      ...(refusal !== undefined && { status: refusal.status }),
    };
  },
};

/** The result of a test, or why the service does not return one: the response is used, too old, or of another browser. */
type ReadResult = { readonly value: TestResult; readonly refusal?: never } | { readonly refusal: ManagementError };

async function readResult(api: ScreenRequest["api"], id: string, response: string): Promise<ReadResult> {
  try {
    return { value: testResultSchema.parse(await change(api, "POST", ["connections", id, "test", "result"], { response })) };
  } catch (error) {
    const isRefusal = error instanceof ManagementError && error.code !== "insufficient_scope" && [400, 403, 409].includes(error.status);
    if (!isRefusal) throw error;
    return { refusal: error };
  }
}

/** The screens of a test sign-in. */
export const connectionTestScreens: readonly ConsoleScreen[] = [tryScreen, startScreen, resultScreen];
