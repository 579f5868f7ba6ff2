import { z } from "zod";
import { actionSchemas, type ActionName, type Actions } from "./actions.ts";
import { Refusal } from "./refusal.ts";

/** Runs an action by name; 404 for an unknown name, 400 for bad input. */
export type RunAction = (name: string, input: unknown) => unknown;

export function createRunAction(actions: Actions): RunAction {
  const of = <Schema extends z.ZodType>(schema: Schema, act: (input: z.output<Schema>) => unknown) => {
    return (input: unknown) => act(parseOrRefuse(schema, input));
  };
  const runners: Record<ActionName, (input: unknown) => unknown> = {
    createEvent: of(actionSchemas.createEvent, actions.createEvent),
    createSeries: of(actionSchemas.createSeries, actions.createSeries),
    updateEvent: of(actionSchemas.updateEvent, actions.updateEvent),
    cancelEvent: of(actionSchemas.cancelEvent, actions.cancelEvent),
    deleteEvent: of(actionSchemas.deleteEvent, actions.deleteEvent),
    markAttendance: of(actionSchemas.markAttendance, actions.markAttendance),
    endSession: of(actionSchemas.endSession, actions.endSession),
    publishRecording: of(actionSchemas.publishRecording, actions.publishRecording),
    removeRecording: of(actionSchemas.removeRecording, actions.removeRecording),
    publishTranscript: of(actionSchemas.publishTranscript, actions.publishTranscript),
    createCohort: of(actionSchemas.createCohort, actions.createCohort),
    updateCohort: of(actionSchemas.updateCohort, actions.updateCohort),
    changeMember: of(actionSchemas.changeMember, actions.changeMember),
    deleteCohort: of(actionSchemas.deleteCohort, actions.deleteCohort),
    raiseAlert: of(actionSchemas.raiseAlert, actions.raiseAlert),
    updateAlert: of(actionSchemas.updateAlert, actions.updateAlert),
    enterSpace: of(actionSchemas.enterSpace, actions.enterSpace),
    leaveSpace: of(actionSchemas.leaveSpace, actions.leaveSpace),
    hideTab: of(actionSchemas.hideTab, actions.hideTab),
    unhideTab: of(actionSchemas.unhideTab, actions.unhideTab),
    changeRoom: of(actionSchemas.changeRoom, actions.changeRoom),
    tellEarlier: of(actionSchemas.tellEarlier, actions.tellEarlier),
    addUser: of(actionSchemas.addUser, actions.addUser),
    admit: of(actionSchemas.admit, actions.admit),
    invite: of(actionSchemas.invite, actions.invite),
  };
  const byName = new Map<string, (input: unknown) => unknown>(Object.entries(runners));
  return (name, input) => {
    const run = byName.get(name);
    if (run === undefined) throw new Refusal(404, "NOT_FOUND", "No such action.");
    return run(input);
  };
}

/** The parsed value, or a 400 that names the field. */
export function parseOrRefuse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new Refusal(400, "BAD_REQUEST", z.prettifyError(parsed.error));
}
