import { familyOf } from "./rules/webhook-family.ts";
import { otherNames } from "./rules/webhook-kind.ts";
import type {
  UnknownWebhooks,
  UnknownWebhookStore,
} from "../modules/operations/store/unknown-webhook-store.ts";
import { otherFamilies } from "./find-receipts.ts";

/**
 * Webhooks of one name that the document does not list. `named`: whether it is one name; kinds for which there was no room
 * are counted together. `filedUnder`: what finds their receipts, a family and something that stands in each body.
 */
export type ListedUnknown = UnknownWebhooks & {
  named: boolean;
  filedUnder: { family: string; text: string };
};

/**
 * Names of webhooks that the document does not list, with how many of each were kept and when the first and the last one came;
 * the one that came last first. A few hundred at most.
 */
export async function listUnknownWebhooks(deps: {
  unknownWebhooks: Pick<UnknownWebhookStore, "list">;
}): Promise<ListedUnknown[]> {
  return (await deps.unknownWebhooks.list()).map((kind) => {
    const named = kind.family !== otherNames;
    const family = named ? familyOf({ _type: kind.family }) : otherFamilies;
    return { ...kind, named, filedUnder: { family, text: kind.eventType } };
  });
}
