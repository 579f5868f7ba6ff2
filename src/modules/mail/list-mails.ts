import { cursorOf, cursorText } from "../operations/page-cursor.ts";
import type { Mail } from "./rules/records.ts";
import type { MailFilter, MailStore } from "./store/mail-store.ts";

const pageSize = 100;

/** One page of the log of mails, latest first. @param before Where the page before ended; null for the first. */
export async function listMails(
  { mails }: { mails: Pick<MailStore, "list"> },
  filter: MailFilter,
  before: string | null,
): Promise<{ mails: Mail[]; olderThan: string | null }> {
  const found = await mails.list(filter, cursorOf(before), pageSize + 1);
  const page = found.slice(0, pageSize);
  const last = page.at(-1);
  const isMore = found.length > pageSize && last !== undefined;
  return { mails: page, olderThan: isMore ? cursorText({ at: last.createdAt, id: last.id }) : null };
}
