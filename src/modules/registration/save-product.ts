import type { App } from "../../app.ts";
import type { Launch } from "../../domain/launch.ts";
import { withReportedProduct } from "./rules/platform-product.ts";
import type { Registration } from "../../domain/registration.ts";

export type SaveProductDeps = Pick<App, "registrations" | "logger">;

/** Also for an LMS added by hand and for its stored work. @returns the registration as it is now. */
export async function saveProduct(
  deps: SaveProductDeps,
  registration: Registration,
  { product = null }: Pick<Launch, "product">,
): Promise<Registration> {
  const now = withReportedProduct(registration, product);
  if (now === registration || now.product === undefined) return registration;
  const learnt = { family: now.family, product: now.product };
  if (!(await deps.registrations.saveProduct(registration, learnt)))
    return (await deps.registrations.find(registration.id)) ?? now;
  deps.logger.info({ registration: registration.id, ...learnt }, "the LMS has said which product it is");
  return now;
}
