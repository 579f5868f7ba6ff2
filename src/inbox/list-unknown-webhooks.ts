import { familyOf } from "./rules/webhook-family.ts";
import { otherNames } from "./rules/webhook-kind.ts";
import type {
  UnknownWebhooks,
  UnknownWebhookStore,
} from "../modules/operations/store/unknown-webhook-store.ts";
import { otherFamilies } from "./find-receipts.ts";

/**
 * Webhooks of a name that the document does not list. `named`: false where kinds are counted together. `filedUnder` finds their
 * receipts: family and a text of the body.
 */
export type ListedUnknown = UnknownWebhooks & {
  named: boolean;
  filedUnder: { family: string; text: string };
};

/** Names that the document does not list, with count, first and last arrival (ms); latest first, a few hundred at most. */
export async function listUnknownWebhooks(deps: {
  unknownWebhooks: Pick<UnknownWebhookStore, "list">;
}): Promise<ListedUnknown[]> {
  return (await deps.unknownWebhooks.list()).map((kind) => {
    const named = kind.family !== otherNames;
    const family = named ? familyOf({ _type: kind.family }) : otherFamilies;
    return { ...kind, named, filedUnder: { family, text: kind.eventType } };
  });
}
