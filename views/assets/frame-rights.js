// What this page, perhaps in an LMS's frame, may hand on to a frame of its own.

/**
 * Which of the features (such as "camera") this page cannot give to frames of these origins. Browsers that do not
 * tell page by page answer for a permission ("denied" is also what a frame without the right hears); what no browser
 * answers is taken to work, and the Space itself will say if it does not.
 * @param {readonly string[]} features
 * @param {readonly string[]} origins
 * @returns {Promise<string[]>}
 */
export async function missingRights(features, origins) {
  const missing = await Promise.all(features.map((feature) => isMissing(feature, origins)));
  return features.filter((_feature, index) => missing[index]);
}

async function isMissing(feature, origins) {
  const known = document.permissionsPolicy ?? document.featurePolicy;
  if (known !== undefined) {
    // A feature this browser does not know is no right that anybody keeps back.
    return known.features().includes(feature) && !origins.every((origin) => mayGive(feature, origin));
  }
  try {
    return (await navigator.permissions.query({ name: feature })).state === "denied";
  } catch {
    return false;
  }
}

/** Asks a frame that is never put into the page what it would be allowed; only that knows all policies above it. */
function mayGive(feature, origin) {
  const probe = document.createElement("iframe");
  probe.allow = `${feature} ${origin}`;
  probe.src = origin;
  return (probe.permissionsPolicy ?? probe.featurePolicy).allowsFeature(feature);
}
