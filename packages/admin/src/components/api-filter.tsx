import type { JSX } from "preact";
import { consoleTexts } from "../console-texts.ts";
import type { ShownApi } from "../resources.ts";
import { FilterSelect } from "./post-form.tsx";

/** Renders the choice of the API whose permissions a page shows. The choice is the parameter `api` of the URL. */
export function ApiFilter({ apis, chosen }: { readonly apis: readonly ShownApi[]; readonly chosen: ShownApi }): JSX.Element {
  const texts = consoleTexts.roles;
  return (
    <form class="filters" method="get">
      <FilterSelect
        name="api"
        label={texts.chooseApi}
        value={chosen.identifier}
        options={apis.map(({ identifier, name }) => [identifier, name] as const)}
      />
      <div class="actions">
        <button type="submit" class="button">
          {texts.show}
        </button>
      </div>
    </form>
  );
}
