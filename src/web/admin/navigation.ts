/** The areas of the console in their order; `key` names the message under `console.areas`. */
export const areas = [
  { path: "/admin/registrations", key: "registrations" },
  { path: "/admin/invitations/new", key: "invite" },
  { path: "/admin/registrations/new", key: "add" },
  { path: "/admin/jobs", key: "jobs" },
  { path: "/admin/audit", key: "audit" },
] as const;

export type Area = (typeof areas)[number]["key"];
