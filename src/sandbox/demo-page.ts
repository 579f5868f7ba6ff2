import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { DemoWorld } from "./demo-world.ts";

/** What runs where, and what to click. */
export async function startDemoPage(world: DemoWorld, port: number): Promise<Server> {
  const { lms, classroom, toolUrl } = world;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>spaces-lti demo</title>
<style>
:root{color-scheme:light dark}body{font:1rem/1.55 system-ui,sans-serif;max-width:44rem;margin:0 auto;padding:1.5rem 1rem}
h1{font-size:1.6rem}li{margin:.6rem 0}code{font-size:.95em}
</style></head><body><main>
<h1>spaces-lti demo</h1>
<p>Three programs run on this machine: a stand-in LMS, a stand-in of the classroom service, and
between them the tool, already registered. Nothing leaves this machine, and nothing is kept when you stop it.</p>
<ol>
<li><strong>Be a learner.</strong> <a href="${lms.url}/login" target="_blank">Log in to the LMS</a> as any student, open
<a href="${lms.url}/course/2" target="_blank">Biology 101</a> and choose <em>Online classroom</em>. Press the button: you are in the course's Space.</li>
<li><strong>Be the host.</strong> In the <a href="${classroom.hostUrl}" target="_blank">classroom's host controls</a>,
schedule an event in that Space, then mark the learner's attendance in it.</li>
<li><strong>Look at the grade.</strong> <a href="${lms.url}/login" target="_blank">Log in to the LMS</a> as a teacher and open the
<a href="${lms.url}/course/2/gradebook" target="_blank">gradebook</a>: the score is there.</li>
<li><strong>Doubt it.</strong> As the teacher, open <em>Online classroom</em> in the course: the page shows for each learner whether the grade has arrived.</li>
<li><strong>See who is missing.</strong> As the teacher, open <em>People</em> there, then <em>Sections and cohorts</em> (in Moodle <em>Groups and cohorts</em>: open the link as two learners and name their groups <em>Section A</em> and <em>Section B</em> first). Link a section to the cohort whose name is like it, compare people, then delete the cohort in the host controls.</li>
<li><strong>Watch it again.</strong> As the teacher, open <em>Recordings</em> there: one is published and one is not. Publish it, then look at <em>Recordings</em> as a learner. Publish more, or make one unavailable, in the host controls.</li>
<li><strong>Leave.</strong> As the learner, press <em>Leave Space</em> (or end the session in the host controls): the classroom sends you to the tool's page after class, its redirect is set to <code>${toolUrl}/ended</code>. Answer there, then read the answer as the teacher: <em>Feedback after class</em> on the page of <em>Online classroom</em>.</li>
<li><strong>Add a link.</strong> As the teacher, add an activity in the course and press <em>Select content</em>: choose what it opens and whether it gets a column.</li>
<li><strong>Copy the course.</strong> As the teacher, copy it and open the copied link: it has a Space of its own, and the tool asks about the settings.</li>
<li><strong>Be the administrator.</strong> Open the <a href="${toolUrl}/admin" target="_blank">tool's console</a> (password <code>demo-password</code>): test the connection, rotate a key, invite another LMS.</li>
</ol>
<p>The other way round: <code>npm run demo -- --story</code> plays the first four by itself and checks
every step. <code>npm run demo -- --manners canvas</code> gives the LMS Canvas's manners, <code>other</code> those of a plain LMS.</p>
<h2>Where things are</h2>
<ul>
<li><a href="${lms.url}">LMS</a> (<a href="${lms.url}/sandbox/log.json">what it received</a>)</li>
<li><a href="${classroom.hostUrl}">Classroom</a> (<a href="${classroom.appUrl}/sandbox/log.json">calls and webhooks</a>)</li>
<li>Tool: <a href="${toolUrl}/readyz">readiness</a>, <a href="${toolUrl}/metrics">metrics</a>, <a href="${toolUrl}/lti/keys">public keys</a></li>
</ul>
</main></body></html>`;
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(html);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}
