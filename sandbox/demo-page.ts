import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { DemoClassProgress } from "./demo-class.ts";
import type { DemoWorld } from "./demo-world.ts";
import { mailboxPage } from "./mailbox-page.ts";
import { plainStyle } from "./plain-style.ts";
import { html, type Html } from "./html.ts";

export type DemoPageOptions = {
  port: number;
  /** The console's address. */
  password: string;
  progress: () => DemoClassProgress;
};

const refreshSeconds = 3;

/** Three buttons, each of which logs in as one person and opens their page; below them, other things to try. */
export async function startDemoPage(world: DemoWorld, options: DemoPageOptions): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", world.toolUrl);
    if (pathname === "/operator") {
      openConsole(world, options.password, response).catch((thrown: unknown) => {
        response.statusCode = 502;
        response.end(`The tool's console does not answer: ${String(thrown)}`);
      });
      return;
    }
    response.setHeader("content-type", "text/html; charset=utf-8");
    if (pathname === "/mailbox") {
      response.end(mailboxPage(world.mailbox?.mails() ?? []).markup);
      return;
    }
    response.end(demoPage(world, options).markup);
  });
  server.listen(options.port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** Logs in at the console for the browser: cookies belong to a host whatever its port, so this page can pass them on. */
async function openConsole(
  { toolUrl }: DemoWorld,
  password: string,
  response: ServerResponse,
): Promise<void> {
  const answer = await fetch(`${toolUrl}/admin`, {
    method: "POST",
    headers: { origin: toolUrl },
    body: new URLSearchParams({ password }),
    redirect: "manual",
  });
  response.setHeader("set-cookie", answer.headers.getSetCookie());
  response.writeHead(303, { location: `${toolUrl}/admin` }).end();
}

function demoPage(world: DemoWorld, { password, progress }: DemoPageOptions): Html {
  const { lms, classroom, toolUrl } = world;
  const { learners, of } = progress();
  const filling = learners < of;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${filling ? html`<meta http-equiv="refresh" content="${String(refreshSeconds)}" />` : ""}
        <title>spaces-lti demo</title>
        <style>
          ${{ markup: plainStyle + style }}
        </style>
      </head>
      <body>
        <main>
          <h1>spaces-lti demo</h1>
          <p>
            A course in Moodle, its online classroom, and the tool between them. All of it runs on this
            machine, with stand-ins for Moodle and the classroom. Nothing leaves this machine, and stopping
            the demo deletes everything.
          </p>
          <div class="roles">
            ${role(lms.url, "student1", "Learner", "Join the class, see your attendance and how your grade is worked out.")}
            ${role(lms.url, "teacher1", "Instructor", "Start the class, mark attendance, see every grade arrive in the gradebook.")}
            <form action="/operator" target="_blank">
              <button>Operator</button>
              <p>Look after the tool: connections, webhooks, scores on their way, alerts.</p>
            </form>
          </div>
          <p role="status">
            ${
              filling
                ? `The class is getting ready: ${learners} of ${of} learners have their attendance. The classroom takes four calls a second.`
                : `Four lectures are over and marked for all ${of} learners; the next one begins soon.`
            }
          </p>
          <h2>More to try</h2>
          <ul>
            <li>
              <strong>Change a mark.</strong> In the
              <a href="${classroom.hostUrl}" target="_blank">classroom's host controls</a>, mark a learner in
              a lecture. Then look at the
              <a href="${lms.url}/course/2/gradebook" target="_blank">gradebook</a> as the instructor: the
              grade has changed.
            </li>
            <li>
              <strong>Check in.</strong> As the instructor, choose Show check-in code on the next lecture, and
              start it. Then open the course as the learner and type the code.
            </li>
            <li>
              <strong>Doubt a grade.</strong> As the instructor, open Grades: it shows for each learner
              whether the grade has arrived, and when.
            </li>
            <li>
              <strong>See who is missing.</strong> As the instructor, open People, then Groups: link a group
              to its classroom group and compare.
            </li>
            <li>
              <strong>Watch it again.</strong> As the instructor, open Recordings: one is published, one is
              not. Learners see what is published.
            </li>
            <li>
              <strong>Leave.</strong> As the learner, leave the classroom: the page after class asks how it
              was. The instructor reads the answers.
            </li>
            <li>
              <strong>Get a reminder.</strong> As the instructor, open Settings, then E-mails, and choose a
              reminder. Within two minutes everybody in the course has it in the
              <a href="/mailbox" target="_blank">mailbox</a>.
            </li>
            <li>
              <strong>Add a link, copy the course.</strong> In the
              <a href="${lms.url}/course/2" target="_blank">course</a>, as the instructor.
            </li>
          </ul>
          <h2>Where things are</h2>
          <ul>
            <li>
              <a href="${lms.url}/login" target="_blank">LMS</a>: log in as anybody, no passwords (<a
                href="${lms.url}/sandbox/log.json"
                >what it received</a
              >)
            </li>
            <li>
              <a href="${classroom.hostUrl}" target="_blank">Classroom</a>
              (<a href="${classroom.appUrl}/sandbox/log.json">calls and webhooks</a>)
            </li>
            <li><a href="/mailbox" target="_blank">Mailbox</a>: every e-mail that the tool has sent</li>
            <li>
              Tool: <a href="${toolUrl}/admin" target="_blank">console</a>, password <code>${password}</code>;
              <a href="${toolUrl}/readyz">readiness</a>, <a href="${toolUrl}/metrics">metrics</a>
            </li>
          </ul>
          <p>
            <code>npm run demo -- --story</code> runs all of it and checks every step.
            <code>npm run demo -- --manners canvas</code> makes the LMS behave like Canvas.
          </p>
        </main>
      </body>
    </html>`;
}

/** A form to the LMS's login, which leads to the course link. */
function role(lmsUrl: string, username: string, name: string, what: string): Html {
  return html`<form method="post" action="${lmsUrl}/login" target="_blank">
    <input type="hidden" name="user" value="${username}" />
    <input type="hidden" name="next" value="/link/1" />
    <button>${name}</button>
    <p>${what}</p>
  </form>`;
}

const style = `
body { max-width: 50rem; }
li { margin: .4rem 0; }
.roles { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem; margin: 1.5rem 0; }
.roles p { margin: .5rem 0 0; font-size: .9rem; }
.roles button { width: 100%; padding: 1rem; font-size: 1.15rem; font-weight: 600; color: #fff; background: #1a56b8;
  border: 0; border-radius: 8px; cursor: pointer; }
.roles button:hover { background: #13448f; }
`;
