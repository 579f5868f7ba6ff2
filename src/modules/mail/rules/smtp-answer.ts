/**
 * sent: taken · put-off: not taken, may be later · refused: never taken · unreachable: nothing was said about this mail · unknown: the
 * line broke after its first word.
 */
export type SmtpAnswer = {
  outcome: "sent" | "put-off" | "refused" | "unreachable" | "unknown";
  /** The server's number, or a word of ours. Never its text, which names the address. */
  reply: string;
};

/** What is known of an SMTP error. */
export type SmtpError = {
  code?: string | undefined;
  /** The server's number; undefined when it said nothing. */
  responseCode?: number | undefined;
  /** What it answered. */
  command?: string | undefined;
};

/** About this mail. A sender who is refused is refused for all mails, as is a log-in. */
const commandsOfMail = ["RCPT TO", "DATA"];

/** @param begun Whether the server was told the mail's first word: from then on silence may mean that it has it. */
export function judgeSmtpError(error: SmtpError, begun: boolean): SmtpAnswer {
  const { responseCode = 0, command = "" } = error;
  if (responseCode <= 0) return judgeSilence(error, begun);
  const reply = String(responseCode);
  // 421: it closes the connection, whatever was asked.
  if (!commandsOfMail.includes(command) || responseCode === 421)
    return { outcome: begun ? "unknown" : "unreachable", reply };
  return { outcome: responseCode >= 500 ? "refused" : "put-off", reply };
}

function judgeSilence({ code = "no-answer" }: SmtpError, begun: boolean): SmtpAnswer {
  // Nothing was sent: an address or a size that no server would be asked about.
  if (!begun && (code === "EENVELOPE" || code === "EMESSAGE"))
    return { outcome: "refused", reply: "unusable" };
  return { outcome: begun ? "unknown" : "unreachable", reply: code.toLowerCase().slice(0, 40) };
}
