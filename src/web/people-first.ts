import type { RequestHandler } from "express";
import { notePerson } from "../kernel/request-scope.ts";

/** A person waits for the answers of what comes after it: webhooks and background work let them go first. */
export const peopleFirst: RequestHandler = (_request, response, next) => {
  const answered = notePerson();
  response.on("close", answered);
  next();
};
