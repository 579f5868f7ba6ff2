/** What an administrator enters in the LMS, in the words of each LMS. */
export const consoleValues = {
  heading: "What the LMS must know",
  lead: {
    moodle:
      "In Moodle: Site administration > Plugins > Activity modules > External tool > Manage tools > Configure a tool manually. LTI version: LTI 1.3; public key type: keyset URL. Under Services, let the tool use grades and the memberships; under Privacy, share names and e-mail addresses.",
    canvas:
      "In Canvas: Admin > Developer Keys > + Developer Key > LTI Key, JWK method public JWK URL. Switch on the scopes below, and the key itself.",
    other: "Where your LMS asks for an LTI 1.3 tool:",
  },
  moodle: {
    launch: "Tool URL, Redirection URI and Content Selection URL",
    login: "Initiate login URL",
    keySet: "Public keyset",
    custom: "Custom parameters",
    scopes: "Services (scopes)",
  },
  canvas: {
    launch: "Target Link URI and Redirect URI",
    login: "OpenID Connect Initiation URL",
    keySet: "Public JWK URL",
    custom: "Custom fields",
    scopes: "LTI Advantage Services (scopes)",
  },
  other: {
    launch: "Target link and redirect address (Moodle: Tool URL, Redirection URI and Content Selection URL)",
    login: "Login initiation address (Moodle: Initiate login URL; Canvas: OpenID Connect Initiation URL)",
    keySet: "Key set address (Moodle: Public keyset; Canvas: Public JWK URL)",
    custom: "Custom parameters, where the LMS takes any",
    scopes: "Services (scopes)",
  },
  canvasJson: "Canvas can take all of this by itself: choose the method Enter URL and give this address.",
  canvasJsonLabel: "Canvas configuration",
};
