import type { PageAppearance } from "../components/drawing.ts";
import { Footer } from "../components/footer.tsx";
import { renderDocument } from "../components/layout.tsx";
import { Brand, brandMark } from "../components/marks.tsx";

/** The data for {@link renderFormPost}: an authorization response that the browser posts to the client. */
interface FormPostPage extends PageAppearance {
  readonly action: string;
  readonly fields: { readonly [name: string]: string };
  readonly nonce: string;
}

/**
 * The script that submits the form. It calls the prototype's method, because a field with the name `submit` would hide
 * the method of the form. It uses old syntax for old script engines.
 */
const submit = 'HTMLFormElement.prototype.submit.call(document.getElementById("form-post"));';

/**
 * Renders the page for `response_mode=form_post`. A script submits its form; without JavaScript, the user submits it
 * with a button.
 */
export function renderFormPost({ action, fields, nonce, tenantName, branding, t, links }: FormPostPage): string {
  const title = t.text("formPostTitle");
  return renderDocument({
    t,
    nonce,
    title: t.text("pageTitle", { page: title, tenant: tenantName }),
    name: brandMark({ tenantName, branding }).name,
    branding,
    content: (
      <main class="card late">
        <Brand tenantName={tenantName} branding={branding} />
        <h1>{title}</h1>
        <p class="lead">{t.text("formPostLead")}</p>
        <form id="form-post" method="post" action={action}>
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit" class="button main" id="form-post-submit">
            {t.text("formPostSubmit")}
          </button>
        </form>
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: submit }} />
        <Footer t={t} links={links} />
      </main>
    ),
  });
}
