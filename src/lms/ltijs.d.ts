/** The part of ltijs 5.9.9 that we call (published types: version 4). Async callbacks must not throw. */
declare module "ltijs" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  /** What ltijs passes to its handlers, after its body and cookie parsers. */
  export type LtijsRequest = IncomingMessage & {
    path: string;
    query: unknown;
    body: unknown;
    signedCookies: Record<string, unknown>;
    token?: unknown;
  };

  export type LtijsHandler = (
    request: LtijsRequest,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ) => void;

  export type LtijsApp = LtijsHandler & { use: (handler: LtijsHandler) => void };

  /** A query that finds nothing answers false, never an empty list. */
  export type LtijsDatabase = {
    setup: () => Promise<true>;
    Close: () => Promise<true>;
    Get: (key: string | false, collection: string, query?: object) => Promise<object[] | false>;
    Insert: (key: string | false, collection: string, item: object, index?: object) => Promise<true>;
    Replace: (
      key: string | false,
      collection: string,
      query: object,
      item: object,
      index?: object,
    ) => Promise<true>;
    Modify: (key: string | false, collection: string, query: object, change: object) => Promise<true>;
    /** Is not awaited: must never reject. */
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
    serverAddon: (app: LtijsApp) => void;
  };

  export type LtijsProvider = {
    app: LtijsApp;
    setup: (key: string, database: { plugin: LtijsDatabase }, options: LtijsOptions) => unknown;
    onConnect: (callback: (token: unknown, request: LtijsRequest, response: ServerResponse) => void) => true;
    onDeepLinking: (
      callback: (token: unknown, request: LtijsRequest, response: ServerResponse) => void,
    ) => true;
    onInvalidToken: (callback: LtijsHandler) => true;
    onSessionTimeout: (callback: LtijsHandler) => true;
    onUnregisteredPlatform: (callback: LtijsHandler) => true;
    onInactivePlatform: (callback: LtijsHandler) => true;
  };

  /** An instance whose constructor makes more of them. */
  export const Provider: LtijsProvider & { constructor: new () => LtijsProvider };
}
