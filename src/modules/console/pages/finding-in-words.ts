import type { DoctorFinding } from "../../operations/rules/doctor-report.ts";
import type { Translate } from "../../../web/translate.ts";

/** A finding in the reader's language; in English where it has no code that this version knows. */
export function findingInWords(t: Translate, finding: DoctorFinding): DoctorFinding {
  const { about, message, todo, seen, advice } = finding;
  const sentences = (seen ?? []).map(({ code, values }) => t.dynamic(`doctor.seen.${code}`, values));
  const known = sentences.filter((sentence) => sentence !== null);
  return {
    ...finding,
    about: t.dynamic(`doctor.about.${about}`) ?? about,
    message: known.length === 0 || known.length < sentences.length ? message : known.join(" "),
    todo: advice == null ? todo : (t.dynamic(`doctor.todo.${advice.code}`, advice.values) ?? todo),
  };
}
