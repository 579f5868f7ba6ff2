import { z } from "zod";

/** Who can cope with the opposite of an assumption: the tool itself, an operator's dialect file, or nobody. */
type Bearer = "tool" | "dialect" | "nobody";

/** What the stand-in classroom assumes (assumptions.md describes each, and its opposite): about its API, its Spaces and its webhooks. */
const classroomAssumptions = {
  limitCountsArrivals: "dialect",
  refusedCallsAreFree: "tool",
  limitNamesWait: "tool",
  analyticsTwoSeconds: "dialect",
  repliesTakeTime: "tool",
  keyIsBearer: "dialect",
  badKeyIs401: "tool",
  creationsAre201: "tool",
  repliesAreBare: "tool",
  repliesAreTyped: "tool",
  repliesAreExact: "tool",
  creationReportsAll: "tool",
  idsCarryTheirName: "tool",
  idsAreTexts: "tool",
  replyTimesAreIso: "tool",
  namesAreCamelCase: "tool",
  listsAreWhole: "dialect",
  unknownIsSaidInJson: "tool",
  wrongInputIs400: "tool",
  missingIs404: "tool",
  errorsHaveCodes: "tool",
  redirectUrlInEither: "tool",
  loginIsOnAppUrl: "dialect",
  loginServesAgain: "nobody",
  madeAnewEachTime: "tool",
  aUserForEachRole: "dialect",
  addressesAreFree: "dialect",
  usersNeedNoEmail: "dialect",
  userFields: "tool",
  spaceFields: "tool",
  eventFields: "dialect",
  eventReplies: "tool",
  eventCohorts: "tool",
  deletedEventIsGone: "tool",
  attendanceReplies: "tool",
  attendanceListsMarked: "tool",
  cohortReplies: "tool",
  alertReplies: "tool",
  recordingReplies: "tool",
  transcriptsAreAddresses: "tool",
  recordingsOfOneSpace: "tool",
  spaceIsOnAppUrl: "dialect",
  addedAreInvited: "nobody",
  roleIsOfUser: "nobody",
  addedWhenMade: "dialect",
  hostsAlwaysEnter: "nobody",
  markedOnEntering: "tool",
  comingEarlyCounts: "tool",
  comingLateIsLate: "tool",
  removalIsReported: "nobody",
  systemHasAName: "tool",
  alertWords: "tool",
  recordingStops: "tool",
  endRedirectNames: "tool",
  fieldsAreChecked: "tool",
  webhooksComeOnce: "tool",
  webhooksInOrder: "tool",
  webhooksAtOnce: "tool",
  webhooksAreRepeated: "nobody",
  anySuccessWillDo: "tool",
  webhooksAreTyped: "tool",
  oneWebhookARequest: "nobody",
  secretInAuthorization: "tool",
  webhooksAreExact: "tool",
  nothingIsLeftOut: "tool",
  spaceTimesAreIso: "tool",
  attendanceTimesNameZone: "tool",
  isoEndsInZ: "tool",
  timesAreFine: "nobody",
  transcriptWord: "tool",
  enteringIsOneJoin: "tool",
  leavingComesFirst: "tool",
  sessionEndsSilently: "tool",
} as const satisfies Record<string, Bearer>;

/** What the stand-in LMSs do although no standard or source says that all LMSs do. */
export const lmsAssumptions = {
  canvasDeletedIsUnpublished: "tool",
  canvasPagesOfTen: "tool",
  canvasColumnsArePublished: "nobody",
  canvasConcludedIs422: "tool",
  canvasOffersUpdates: "tool",
  canvasUpdatesOffIs404: "tool",
  tokenSaysScope: "tool",
  tokenIsCapital: "tool",
  tokenLastsAnHour: "tool",
  audienceIsList: "tool",
  loginIsGet: "tool",
  withheldIsNull: "tool",
  statusIsReported: "tool",
  rosterPagesAreLong: "tool",
  columnsInOrder: "tool",
  scoresAnswerNothing: "tool",
  resultsNameMaximum: "tool",
  noticesComeOnce: "tool",
} as const satisfies Record<string, Bearer>;

export type AssumptionName = keyof typeof classroomAssumptions | keyof typeof lmsAssumptions;

export const assumptions: Readonly<Record<AssumptionName, Bearer>> = {
  ...classroomAssumptions,
  ...lmsAssumptions,
};

export const assumptionNames: readonly AssumptionName[] = Object.keys(assumptions).filter(isAssumption);

export type Turned = ReadonlySet<AssumptionName>;

export const nothingTurned: Turned = new Set();

/** "all", "borne" (by tool or dialect file), or names with commas; a minus excludes one ("borne,-webhooksInOrder"). @throws Error */
export function turnedOf(words: string): Turned {
  const turned = new Set<AssumptionName>();
  for (const word of words.split(",").map((each) => each.trim())) {
    const name = word.replace(/^-/, "");
    if (word === "") continue;
    else if (word === "all") for (const each of assumptionNames) turned.add(each);
    else if (word === "borne") for (const each of assumptionNames.filter(isBorne)) turned.add(each);
    else if (!isAssumption(name)) throw new Error(`"${name}" is no assumption of the stand-ins.`);
    else if (word.startsWith("-")) turned.delete(name);
    else turned.add(name);
  }
  return turned;
}

/** Like `turnedOf`, for a command line. */
export const turnedSchema = z.string().transform((words, context): Turned => {
  try {
    return turnedOf(words);
  } catch (thrown) {
    context.addIssue(
      `names what does not exist: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
    return z.NEVER;
  }
});

function isBorne(name: AssumptionName): boolean {
  return assumptions[name] !== "nobody";
}

function isAssumption(name: string): name is AssumptionName {
  return Object.hasOwn(assumptions, name);
}
