import type { OrganizationScreen } from "./step.ts";
import type { Drawing, PageParts } from "../../components/drawing.ts";
import { NotYou } from "../../components/account.tsx";
import { Clamped, Form } from "../../components/form.tsx";
import { Icon } from "../../components/icons.tsx";
import { Tile } from "../../components/marks.tsx";
import { Search } from "../../components/search.tsx";

/** Draws the page that asks which organization to sign in to. */
export function drawOrganization({ frame, t }: Drawing, { account, organizations }: OrganizationScreen): PageParts {
  return {
    title: t.text("organizationTitle"),
    pictures: organizations.map(({ logoUrl }) => logoUrl),
    content: (
      <>
        {/* The account is above the list, because the list can be long. */}
        <NotYou frame={frame} t={t} account={account} />
        <Search t={t} list="organizations" rows={organizations.length} />
        <Form frame={frame} class="rows" id="organizations">
          <input type="hidden" name="action" value="select-organization" />
          {organizations.map(({ id, name, uniqueName, logoUrl }) => (
            <button key={id} type="submit" name="organization" value={id} class="button row">
              <Tile name={name} picture={logoUrl} />
              <span class="row-text">
                <Clamped class="row-name">{name}</Clamped>
                {uniqueName !== undefined && <Clamped class="row-detail">{uniqueName}</Clamped>}
              </span>
              <Icon name="chevron" />
            </button>
          ))}
        </Form>
      </>
    ),
  };
}
