import { lmsFamilies, type PlatformFamily } from "../domain/lms-product.ts";
import { addRegistration } from "../modules/operations/add-registration.ts";
import { acceptOrRefuse, type Command, operatorParts, UsageError } from "./command.ts";
import { accountNamed } from "./account-named.ts";

export const addPlatform: Command = async (tools) => {
  const { values } = tools;
  const needed = (name: "issuer" | "client-id" | "auth-url" | "token-url" | "jwks-url"): string => {
    const value = values[name];
    if (value === undefined || value === "") throw new UsageError(`--${name} is missing.`);
    return value;
  };
  const given = {
    issuer: needed("issuer"),
    clientId: needed("client-id"),
    authorizationUrl: needed("auth-url"),
    tokenUrl: needed("token-url"),
    jwksUrl: needed("jwks-url"),
    ...familyOf(values.family ?? "learn"),
    ...(values["new-deployments"] === undefined
      ? {}
      : { newDeployments: acceptOrRefuse(values["new-deployments"], "--new-deployments") }),
    ...(values.name === undefined ? {} : { name: values.name }),
    ...(values["token-audience"] === undefined ? {} : { tokenAudience: values["token-audience"] }),
    ...(values["deployment-id"] === undefined ? {} : { deploymentId: values["deployment-id"] }),
  };
  const { lms, ...parts } = await operatorParts(tools);
  const { id: environment } = accountNamed(values, parts.accounts);
  const registration = await addRegistration(
    { ...parts, registerByHand: lms.registerByHand },
    { ...given, environment },
  );
  const { loginUrl, launchUrl, keysUrl } = lms.manualValues;
  return {
    text: `Registered ${registration.name} as ${registration.id}.\nIn the LMS, set:\n  login initiation  ${loginUrl}\n  redirect and target link  ${launchUrl}\n  public key set  ${keysUrl}`,
    json: registration,
  };
};

function familyOf(name: string): { family?: PlatformFamily } {
  if (name === "learn") return {};
  const family = lmsFamilies.find((one) => one === name);
  if (family === undefined) throw new UsageError(`--family is ${lmsFamilies.join(", ")} or learn.`);
  return { family };
}
