import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Registration } from "../../domain/registration.ts";
import { accountOfLms } from "./account-of.ts";

/** An LMS whose new courses use an account; `deploymentId`: those of this place in it only. */
export type Binding = { registrationId: string; name: string; deploymentId: string | null };

export type AllBindings = readonly (Binding & { account: AccountId })[];

/** Which account which LMS and which deployment uses for new courses. */
export async function bindingsOf(
  { deployments }: Pick<App, "deployments">,
  registrations: readonly Registration[],
): Promise<AllBindings> {
  const each = await Promise.all(
    registrations.map(async (registration) => {
      const { id: registrationId, name } = registration;
      return [
        { registrationId, name, deploymentId: null, account: accountOfLms(registration) },
        ...(await deployments.listOf(registrationId)).flatMap(({ deploymentId, account }) =>
          account === undefined ? [] : [{ registrationId, name, deploymentId, account }],
        ),
      ];
    }),
  );
  return each.flat();
}
