export type ToolDescription = {
  /** No trailing slash. */
  publicUrl: string;
  name: string;
  description: string;
  /** Names this product to Canvas, whatever its address. */
  id: string;
  vendor: string;
  logoUrl: string;
  loginUrl: string;
  /** Redirect address and target link in one; the message in the token says what it is for. */
  launchUrl: string;
  keysUrl: string;
  /** Where Canvas fetches the developer key's configuration. */
  canvasConfigurationUrl: string;
};

export function describeTool(publicUrl: string): ToolDescription {
  return {
    publicUrl,
    name: "Online classroom",
    description: "A persistent online classroom for your course, with attendance that becomes grades.",
    id: "spaces-lti",
    vendor: "Virtual Classroom Service",
    logoUrl: `${publicUrl}/assets/icon.svg`,
    loginUrl: `${publicUrl}/lti/login`,
    launchUrl: `${publicUrl}/lti/launch`,
    keysUrl: `${publicUrl}/lti/keys`,
    canvasConfigurationUrl: `${publicUrl}/lti/config/canvas.json`,
  };
}
