/** The part of ltijs 5.9.9 that we call (the published types are for version 4). Async callbacks must not throw. */
declare module "ltijs" {
  import type { KeyObject } from "node:crypto";

  /** What ltijs reads from a request. Its parsers don't touch values that are set. */
  export type LtijsRequest = {
    method: string;
    url: string;
    headers: Record<string, string>;
    query: Record<string, string>;
    body: Record<string, string>;
    /** Whether the body is parsed already. */
    _body: boolean;
    cookies: Record<string, string>;
    signedCookies: Record<string, string>;
  };

  /** What ltijs calls on a response. */
  export type LtijsResponse = {
    statusCode: number;
    setHeader: (name: string, value: string) => void;
    removeHeader: (name: string) => void;
    cookie: (name: string, value: string) => void;
    clearCookie: (name: string) => void;
    redirect: (location: string) => void;
    send: (body: unknown) => void;
    end: (body?: unknown) => void;
  };

  export type LtijsHandler = (
    request: LtijsRequest,
    response: LtijsResponse,
    next: (error?: unknown) => void,
  ) => void;

  /** A query that finds nothing returns false, never an empty list. */
  export type LtijsDatabase = {
    setup: () => Promise<true>;
    Close: () => Promise<true>;
    Get: (key: string | KeyObject | false, collection: string, query?: object) => Promise<object[] | false>;
    Insert: (
      key: string | KeyObject | false,
      collection: string,
      item: object,
      index?: object,
    ) => Promise<true>;
    Replace: (
      key: string | KeyObject | false,
      collection: string,
      query: object,
      item: object,
      index?: object,
    ) => Promise<true>;
    Modify: (
      key: string | KeyObject | false,
      collection: string,
      query: object,
      change: object,
    ) => Promise<true>;
    /** ltijs doesn't await it, so it must never reject. */
    Delete: (collection: string, query: object) => Promise<true>;
  };

  export type LtijsOptions = {
    appRoute: string;
    loginRoute: string;
    keysetRoute: string;
    cors: boolean;
    ltiaas: boolean;
    devMode: boolean;
    tokenMaxAge: number;
    cookies: { secure: boolean; sameSite: string };
    /** Gets the application before its routes are added. */
    serverAddon?: (app: object) => void;
  };

  export type LtijsProvider = {
    app: LtijsHandler;
    setup: (key: string | KeyObject, database: { plugin: LtijsDatabase }, options: LtijsOptions) => unknown;
    onConnect: (callback: (token: unknown, request: LtijsRequest, response: LtijsResponse) => void) => true;
    onDeepLinking: (
      callback: (token: unknown, request: LtijsRequest, response: LtijsResponse) => void,
    ) => true;
    onInvalidToken: (callback: LtijsHandler) => true;
    onSessionTimeout: (callback: LtijsHandler) => true;
    onUnregisteredPlatform: (callback: LtijsHandler) => true;
    onInactivePlatform: (callback: LtijsHandler) => true;
  };

  /** An instance whose constructor makes further instances. */
  export const Provider: LtijsProvider & { constructor: new () => LtijsProvider };
}
