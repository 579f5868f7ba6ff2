import type { KnownStatus } from "./attendance.ts";

/** Words of a grade's comment in one language; counts follow the names. */
export type SentenceWords = Readonly<
  Record<
    | KnownStatus
    | "sessions"
    | "planned"
    | "leftOut"
    | "unknown"
    | "dropped"
    | "colon"
    | "semicolon"
    | "comma",
    string
  > & { isolate: (sum: string) => string }
>;

const asIs = (sum: string): string => sum;

/**
 * By language, as the catalogues of pages name these things; English has sentences of its own. They are here because a
 * comment is part of the score, not of a page.
 */
export const sentenceWords: ReadonlyMap<string, SentenceWords> = new Map<string, SentenceWords>([
  [
    "de",
    {
      sessions: "Termine",
      planned: "Geplante Termine",
      PRESENT: "anwesend",
      LATE: "verspätet",
      ABSENT: "abwesend",
      EXCUSED: "entschuldigt",
      leftOut: "nicht gewertet",
      unknown: "unbekannt",
      dropped: "schlechteste gestrichen",
      colon: ":",
      semicolon: "; ",
      comma: ", ",
      isolate: asIs,
    },
  ],
  [
    "es",
    {
      sessions: "Sesiones",
      planned: "Sesiones programadas",
      PRESENT: "presente",
      LATE: "tarde",
      ABSENT: "ausente",
      EXCUSED: "falta justificada",
      leftOut: "sin contar",
      unknown: "desconocido",
      dropped: "peores descartadas",
      colon: ":",
      semicolon: "; ",
      comma: ", ",
      isolate: asIs,
    },
  ],
  [
    "fr",
    {
      sessions: "Séances",
      planned: "Séances prévues",
      PRESENT: "présence",
      LATE: "retard",
      ABSENT: "absence",
      EXCUSED: "absence excusée",
      leftOut: "non comptées",
      unknown: "inconnu",
      dropped: "moins bonnes écartées",
      colon: "\u00a0:",
      semicolon: "\u00a0; ",
      comma: ", ",
      isolate: asIs,
    },
  ],
  [
    "pt",
    {
      sessions: "Sessões",
      planned: "Sessões agendadas",
      PRESENT: "presença",
      LATE: "atraso",
      ABSENT: "falta",
      EXCUSED: "falta justificada",
      leftOut: "fora da conta",
      unknown: "desconhecido",
      dropped: "piores descartadas",
      colon: ":",
      semicolon: "; ",
      comma: ", ",
      isolate: asIs,
    },
  ],
  [
    "ar",
    {
      sessions: "الجلسات",
      planned: "الجلسات المخططة",
      PRESENT: "حضور",
      LATE: "تأخر",
      ABSENT: "غياب",
      EXCUSED: "بعذر",
      leftOut: "غير محتسبة",
      unknown: "غير معروف",
      dropped: "أدنى الجلسات المحذوفة",
      colon: ":",
      semicolon: "؛ ",
      comma: "، ",
      isolate: (sum) => `\u2066${sum}\u2069`,
    },
  ],
]);
