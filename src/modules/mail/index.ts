import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { taskWorker } from "../../tasks/work.ts";
import { mailTask, sendNextMails } from "./mails.ts";
import { courseMailsRoutes } from "./pages/course-mails-routes.ts";
import { myMailsRoutes, stopRoutes } from "./pages/my-mails-routes.ts";
import { createWriter } from "./pages/write-mail.ts";
import { listToRemind, sendReminders } from "./reminders.ts";
import { sendWeeklyMails } from "./weekly-mails.ts";
import { createSmtpMailer } from "./smtp-mailer.ts";
import { isAlarmToTell, tellAlarms } from "./tell-alarms.ts";

/** Without SMTP_URL, no mail is added or sent. Mails that already wait are kept until they aren't useful any more. */
export function createMail(app: App): Module {
  const { mail } = app.config;
  const write = createWriter(app);
  const mailer = mail === null ? null : createSmtpMailer(mail, app.publicUrl);
  const alarmTo = mail?.alarmTo ?? [];
  const perMinute = mail?.perMinute ?? 0;
  return {
    routes: { pages: [courseMailsRoutes(app), myMailsRoutes(app), stopRoutes(app)] },
    works: [
      taskWorker(app, mailTask, {
        lanes: 1,
        step: (ending) =>
          mailer === null
            ? Promise.resolve(false)
            : sendNextMails({ ...app, mailer, perMinute, write, ending }),
      }),
    ],
    jobs: [
      {
        name: "send-weekly-mails",
        // Monday comes at another moment in each time zone. In the far east, it's still Sunday in UTC.
        at: "*/15 * * * 0,1",
        run: () => (mail === null ? Promise.resolve(null) : sendWeeklyMails(app)),
      },
      {
        name: "send-reminders",
        at: "*/10 * * * *",
        sooner: { isNeeded: async () => mail !== null && (await listToRemind(app, 1)).length > 0 },
        run: () => (mail === null ? Promise.resolve(null) : sendReminders(app)),
      },
      {
        name: "tell-alarms",
        at: "*/10 * * * *",
        sooner: { isNeeded: () => isAlarmToTell(app, alarmTo) },
        run: async () => {
          await tellAlarms(app, alarmTo);
          return null;
        },
      },
    ],
  };
}
