/** For the metrics. */
export type LmsCallKind = "token" | "roster" | "line-item" | "score" | "result" | "groups" | "other";

/** By the media types of LTI Advantage (AGS 2.0, NRPS 2.0, Course Groups 1.0) and of OAuth 2. */
const kinds: readonly [RegExp, LmsCallKind][] = [
  [/vnd\.ims\.lis\.v1\.score\+json/, "score"],
  [/vnd\.ims\.lis\.v2\.resultcontainer\+json/, "result"],
  [/vnd\.ims\.lis\.v2\.lineitem(container)?\+json/, "line-item"],
  [/vnd\.ims\.lti-nrps\.v2\.membershipcontainer\+json/, "roster"],
  [/vnd\.ims\.lti-gs\.v1\.contextgroup(set)?container\+json/, "groups"],
  [/x-www-form-urlencoded/, "token"],
];

/** By its headers: addresses are the LMS's own and say nothing. */
export function kindOfCall(headers: Headers): LmsCallKind {
  const types = `${headers.get("content-type") ?? ""} ${headers.get("accept") ?? ""}`;
  return kinds.find(([type]) => type.test(types))?.[1] ?? "other";
}
