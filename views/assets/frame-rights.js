// Which rights this page, perhaps in an LMS's frame, can give to its own frames.

/**
 * Which of the features (such as "camera") this page cannot give to frames of these origins. Without a permissions policy API, we ask
 * for the permission (a frame without the right gets "denied", too). A feature that the browser says nothing about counts as allowed;
 * the Space says if it isn't.
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
    // If this browser does not know the feature, nobody can withhold it.
    return known.features().includes(feature) && !origins.every((origin) => mayGive(feature, origin));
  }
  try {
    return (await navigator.permissions.query({ name: feature })).state === "denied";
  } catch {
    return false;
  }
}

/** Asks a frame that is never added to the page what it would be allowed, because only a frame knows all policies above it. */
function mayGive(feature, origin) {
  const probe = document.createElement("iframe");
  probe.allow = `${feature} ${origin}`;
  probe.src = origin;
  return (probe.permissionsPolicy ?? probe.featurePolicy).allowsFeature(feature);
}
