import { get } from "./console-tool.ts";
import { type OpenIdProvider, providerClient, type ProviderUser } from "../stand-ins/openid-provider.ts";

/** Variables of a tool whose operators log in at this provider. */
export const providerVariables = ({ issuer }: OpenIdProvider): Record<string, string> => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: providerClient.id,
  OIDC_CLIENT_SECRET: providerClient.secret,
  OIDC_OPERATORS: "Olga@school.test, group:it",
  OIDC_READERS: "rita@school.test",
});

const pairOf = (line: string) => line.split(";")[0] ?? "";

/** A log-in on its way: the browser is back from the provider, which sent it to `back`. */
export async function atProvider(url: string): Promise<{ cookie: string; back: string }> {
  const begun = await get(`${url}/admin/log-in?to=/admin/audit`);
  const there = await get(begun.location ?? "");
  return { cookie: begun.headers.getSetCookie().map(pairOf).join("; "), back: there.location ?? "" };
}

/** @returns the console's cookies and the token that forms must carry. */
export async function logInByProvider(
  url: string,
  provider: OpenIdProvider,
  user: ProviderUser,
): Promise<{ cookie: string; form: string }> {
  provider.user = user;
  const { cookie, back } = await atProvider(url);
  const answer = await get(back, cookie);
  if (answer.status !== 200) throw new Error(`the log-in answered ${answer.status}: ${answer.text}`);
  const session = answer.headers
    .getSetCookie()
    .map(pairOf)
    .filter((pair) => !pair.endsWith("="))
    .join("; ");
  const page = await get(`${url}/admin/registrations`, session);
  return { cookie: session, form: /name="form" value="([^"]+)"/.exec(page.text)?.[1] ?? "" };
}
