import { Card } from "../components/blocks.tsx";
import { DataTable } from "../components/table.tsx";
import { consoleTexts } from "../console-texts.ts";
import type { ConsoleScreen } from "../screen.ts";

const texts = consoleTexts.shortcutsPage;

/** The list of keyboard shortcuts, with a button that turns single keys off (WCAG 2.1.4). */
export const shortcutsScreen: ConsoleScreen = {
  path: "/shortcuts",
  show: () => ({
    title: texts.title,
    body: (
      <Card
        title={texts.title}
        about={texts.about}
        actions={<button type="button" class="button" hidden data-shortcuts="" data-on={texts.on} data-off={texts.off} />}
      >
        <DataTable
          caption={texts.title}
          rows={texts.list}
          rowKey={([key]) => key}
          columns={[
            { title: texts.key, isTight: true, cell: ([key]) => <kbd>{key}</kbd> },
            { title: texts.action, cell: ([, action]) => action },
          ]}
        />
        <noscript>
          <p class="in">{texts.needsScript}</p>
        </noscript>
      </Card>
    ),
  }),
};
