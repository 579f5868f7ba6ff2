import type { Request, Response } from "express";
import { readerLocale } from "../../../web/browser-of.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import { formField } from "./form-field.ts";
import type { PublicFrame } from "./partials.ts";
import { showPublicPage } from "./show-page.ts";

export type LogInPage = PublicFrame & {
  to: string;
  wrong: boolean;
  /** Whether the password is asked for. */
  password: boolean;
  /** Host of the provider where people log in; null without one. */
  provider: string | null;
  /** A form was sent without a session. */
  lost: boolean;
};

const logInPage = defineView<LogInPage>("admin/log-in");

/** In place of the page that was asked for. @param wrong Whether a wrong password was just given. */
export function showLogIn(deps: ConsoleApp, request: Request, response: Response, wrong = false): void {
  const t = deps.translatorOf(readerLocale(request));
  const wanted = request.method === "GET" ? request.originalUrl : formField(request.body, "to");
  const inQueue = request.method === "GET" && pathOf(wanted) === "/admin";
  response.status(inQueue ? 200 : 401);
  showPublicPage(deps, response, {
    view: logInPage,
    title: t("console.logIn.heading"),
    // The page says that the form is lost, instead of seeming to have done it.
    model: { to: inConsole(wanted), wrong, ...ways(deps), lost: request.method !== "GET" && !wrong },
  });
}

function ways({ adminPassword, provider }: ConsoleApp): Pick<LogInPage, "password" | "provider"> {
  return { password: adminPassword !== undefined, provider: provider?.host ?? null };
}

/** A page of the console and nothing else. */
export function inConsole(address: string): string {
  return /^\/admin\/[\w/-]+$/.test(address) && !address.includes("//") ? address : "/admin";
}

function pathOf(address: string): string {
  return address.replace(/\?[^]*/, "").replace(/\/$/, "");
}
