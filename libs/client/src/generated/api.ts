// Made by `npm run generate` from docs/openapi.json, with openapi-typescript.

export interface paths {
    readonly "/v1/offsets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read one offset, or list all
         * @description With `id`: that offset. An accepted id is never a 404: until the offset is recorded, its status is queued. Without: the recorded offsets, newest first, in pages; `Link` leads to the next.
         *
         *     The key needs the scope `offsets:read`.
         */
        readonly get: operations["readOffsets"];
        readonly put?: never;
        /**
         * Create an offset
         * @description Requests that credits be retired to offset emissions of this weight. The response is sent once the request is stored durably and queued for processing. With an `Idempotency-Key` it can be repeated safely; the same key with another body is refused.
         *
         *     The key needs the scope `offsets:write`.
         */
        readonly post: operations["createOffset"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/estimates": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read an estimate
         * @description The estimate as it was created. It can be read for some time after it has expired.
         *
         *     The key needs the scope `offsets:read`.
         */
        readonly get: operations["getEstimate"];
        readonly put?: never;
        /**
         * Create an estimate
         * @description Returns what an offset of this weight would cost now, and holds that price for 24 hours, for one offset whose `estimateId` names it. No credits are reserved.
         *
         *     The key needs the scope `offsets:write`.
         */
        readonly post: operations["createEstimate"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/retirements": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the receipt of an offset
         * @description The offset's entries in the retirement ledger, each with its place in its asset's chain of hashes.
         *
         *     The key needs the scope `offsets:read`.
         */
        readonly get: operations["getRetirements"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/assets/pools": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Search for pools
         * @description The pools that match the criteria and the full text, in pages; `Link` leads to the next. Both parameters must be sent and may be empty.
         *
         *     The key needs the scope `assets:read`.
         */
        readonly get: operations["searchPools"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/assets/projects": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Search for projects
         * @description The projects that match the criteria and the full text, in pages; `Link` leads to the next. Both parameters must be sent and may be empty.
         *
         *     The key needs the scope `assets:read`.
         */
        readonly get: operations["searchProjects"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/assets/schema": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Describe the searchable fields
         * @description The fields that `criteria` may name, with their operators and most frequent values.
         *
         *     The key needs the scope `assets:read`.
         */
        readonly get: operations["describeFields"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/assets/hints": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Explain why a search finds nothing
         * @description How many assets each clause of a search matches alone and, for a clause that matches nothing, similar values of its fields. `X-Search-Hints` of a search that finds nothing has the URL.
         *
         *     The key needs the scope `assets:read`.
         */
        readonly get: operations["explainSearch"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/assets/facets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Count the assets of a search by their fields
         * @description The values of each field among the assets that a search finds, or intervals of them. Each has the number of assets with it, and the clause by which `criteria` finds exactly those.
         *
         *     The key needs the scope `assets:read`.
         */
        readonly get: operations["countByField"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/assets/complete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Complete criteria at a caret
         * @description What may stand at a caret in `criteria`, for an editor: fields, operators, keywords, and values of the library. Each of them begins valid criteria. What comes after the caret does not count.
         *
         *     The key needs the scope `assets:read`.
         */
        readonly get: operations["completeCriteria"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/health/live": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Liveness */
        readonly get: operations["isLive"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/health/ready": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Readiness */
        readonly get: operations["isReady"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** This description */
        readonly get: operations["getDescription"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/problems": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List all problems */
        readonly get: operations["listProblems"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/problems/{code}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Explain a problem
         * @description The page that explains a code: the `code` of a problem, whose `type` is the URL of the page, or one of its `errors`.
         */
        readonly get: operations["explainProblem"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly NewOffset: {
            /**
             * @description A weight of emissions in kilograms of CO2-equivalent.
             * @example 1234.5
             */
            readonly kgCO2e: number;
            /** @description The id of one of your estimates: the credits are retired at its prices. The offset fails if the estimate has expired, is for another weight, or has been used. */
            readonly estimateId?: string;
            /** @description Your own reference for the customer, such as a user id; stored as it is. */
            readonly customerRef?: string;
        };
        readonly NewEstimate: {
            /**
             * @description A weight of emissions in kilograms of CO2-equivalent.
             * @example 1234.5
             */
            readonly kgCO2e: number;
            /** @description The id of the one asset to take all of it from. */
            readonly asset?: string;
        };
        readonly AcceptedOffset: {
            /** @description Contains the id of the queued offset. The `Location` header has its URL. */
            readonly message: string;
        };
        /** @description Invalid request. */
        readonly InvalidRequestProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/invalid_request";
            /** @example Invalid request */
            readonly title: string;
            /** @constant */
            readonly status: 400;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly code: "invalid_request";
            /** @description Every error, at most 10. */
            readonly errors?: readonly (components["schemas"]["ParameterMistake"] | components["schemas"]["BodyMistake"] | components["schemas"]["HeaderMistake"])[];
        };
        readonly ParameterMistake: {
            /** @description The parameter; empty for a stray `&`. */
            readonly field: string;
            /**
             * @description The kind of error; `/problems/<code>` explains it.
             * @enum {string}
             */
            readonly code: "missing_parameter" | "duplicate_parameter" | "unknown_parameter" | "invalid_parameter";
            /** @description What is wrong and how to fix it, for people. */
            readonly detail: string;
            /** @description The name or value that was probably intended. */
            readonly suggestion?: string;
            /** @description The fix, in words. */
            readonly hint?: string;
            /** @description The accepted names or values. */
            readonly allowed?: readonly string[];
        };
        readonly BodyMistake: {
            /** @description The member of the body; empty for the body itself. */
            readonly field: string;
            /** @description Its place in the body: a JSON pointer (RFC 6901). */
            readonly pointer: string;
            /**
             * @description The kind of error; `/problems/<code>` explains it.
             * @enum {string}
             */
            readonly code: "missing_field" | "unknown_field" | "invalid_field";
            /** @description What is wrong and how to fix it, for people. */
            readonly detail: string;
            /** @description The name or value that was probably intended. */
            readonly suggestion?: string;
        };
        readonly HeaderMistake: {
            /** @description The header. */
            readonly field: string;
            /**
             * @description The kind of error; `/problems/<code>` explains it.
             * @enum {string}
             */
            readonly code: "duplicate_header" | "invalid_header";
            /** @description What is wrong and how to fix it, for people. */
            readonly detail: string;
        };
        /** @description The body is not valid JSON. */
        readonly InvalidJsonProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/invalid_json";
            /** @example The body is not valid JSON */
            readonly title: string;
            /** @constant */
            readonly status: 400;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly code: "invalid_json";
        };
        /** @description Missing or invalid API key. */
        readonly UnauthorizedProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/unauthorized";
            /** @example Missing or invalid API key */
            readonly title: string;
            /** @constant */
            readonly status: 401;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not.
             * @constant
             */
            readonly code: "unauthorized";
        };
        /** @description The API key lacks the required scope. */
        readonly ForbiddenProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/forbidden";
            /** @example The API key lacks the required scope */
            readonly title: string;
            /** @constant */
            readonly status: 403;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not.
             * @constant
             */
            readonly code: "forbidden";
        };
        /** @description Method not allowed. */
        readonly MethodNotAllowedProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/method_not_allowed";
            /** @example Method not allowed */
            readonly title: string;
            /** @constant */
            readonly status: 405;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not.
             * @constant
             */
            readonly code: "method_not_allowed";
        };
        /** @description Not acceptable. */
        readonly NotAcceptableProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/not_acceptable";
            /** @example Not acceptable */
            readonly title: string;
            /** @constant */
            readonly status: 406;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not.
             * @constant
             */
            readonly code: "not_acceptable";
        };
        /** @description Request timeout. */
        readonly RequestTimeoutProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/request_timeout";
            /** @example Request timeout */
            readonly title: string;
            /** @constant */
            readonly status: 408;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not.
             * @constant
             */
            readonly code: "request_timeout";
        };
        /** @description Request body too large. */
        readonly PayloadTooLargeProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/payload_too_large";
            /** @example Request body too large */
            readonly title: string;
            /** @constant */
            readonly status: 413;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not.
             * @constant
             */
            readonly code: "payload_too_large";
        };
        /** @description URL too long. */
        readonly UriTooLongProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/uri_too_long";
            /** @example URL too long */
            readonly title: string;
            /** @constant */
            readonly status: 414;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not.
             * @constant
             */
            readonly code: "uri_too_long";
        };
        /** @description The body must be JSON. */
        readonly UnsupportedMediaTypeProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/unsupported_media_type";
            /** @example The body must be JSON */
            readonly title: string;
            /** @constant */
            readonly status: 415;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not.
             * @constant
             */
            readonly code: "unsupported_media_type";
        };
        /** @description Idempotency key reused with a different request. */
        readonly IdempotencyKeyReusedProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/idempotency_key_reused";
            /** @example Idempotency key reused with a different request */
            readonly title: string;
            /** @constant */
            readonly status: 422;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not.
             * @constant
             */
            readonly code: "idempotency_key_reused";
        };
        /** @description Too many requests. */
        readonly RateLimitedProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/rate_limited";
            /** @example Too many requests */
            readonly title: string;
            /** @constant */
            readonly status: 429;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not.
             * @constant
             */
            readonly code: "rate_limited";
        };
        /** @description Request headers too large. */
        readonly HeaderTooLargeProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/header_too_large";
            /** @example Request headers too large */
            readonly title: string;
            /** @constant */
            readonly status: 431;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not.
             * @constant
             */
            readonly code: "header_too_large";
        };
        /** @description Internal server error. */
        readonly InternalErrorProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/internal_error";
            /** @example Internal server error */
            readonly title: string;
            /** @constant */
            readonly status: 500;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not.
             * @constant
             */
            readonly code: "internal_error";
        };
        /** @description The offset was not accepted. */
        readonly NotAcceptedProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/not_accepted";
            /** @example The offset was not accepted */
            readonly title: string;
            /** @constant */
            readonly status: 503;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly code: "not_accepted";
            /** @description Sent as `Idempotency-Key` with the same body, it makes a retry safe: at most one offset is created. */
            readonly retryKey: string;
        };
        /** @description It is unknown whether the offset was accepted. */
        readonly OutcomeUnknownProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/outcome_unknown";
            /** @example It is unknown whether the offset was accepted */
            readonly title: string;
            /** @constant */
            readonly status: 503;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly code: "outcome_unknown";
            /** @description Sent as `Idempotency-Key` with the same body, it makes a retry safe: at most one offset is created. */
            readonly retryKey: string;
        };
        /** @description Service temporarily unavailable. */
        readonly ServiceUnavailableProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/service_unavailable";
            /** @example Service temporarily unavailable */
            readonly title: string;
            /** @constant */
            readonly status: 503;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly code: "service_unavailable";
            /**
             * @description Only of `/health/ready`: the state.
             * @enum {string}
             */
            readonly state?: "starting" | "draining" | "unavailable";
            /** @description Only of `/health/ready`: what the start waits for. */
            readonly waitingFor?: readonly string[];
            /** @description Only of `/health/ready`: whether each dependency answers. */
            readonly dependencies?: {
                readonly [key: string]: "up" | "down";
            };
        };
        readonly Offset: {
            /** @description The id, as in the message on creation. */
            readonly id: string;
            /**
             * @description `queued`, then `processing`, then `completed` or `failed`, which are final. An offset may pass through the first two unseen.
             * @enum {string}
             */
            readonly status: "queued" | "processing" | "completed" | "failed";
            /** @description The weight in kilograms of CO2-equivalent, as it was sent. */
            readonly kgCO2e: number;
            /** @description Tonnes of CO2-equivalent: `kgCO2e` / 1000, rounded up to the gram. */
            readonly credits: number;
            /** @description The credits retired: 0 until the offset is `completed`, then the same as `credits`. */
            readonly creditsMatched: number;
            /** @description The retired credits of each asset. */
            readonly retirements: readonly components["schemas"]["Retirement"][];
            /** @description The total in US dollars, from `processing` on. */
            readonly cost?: number;
            /**
             * @description The currency of every price and cost.
             * @constant
             */
            readonly currency?: "USD";
            /** @description As it was sent. */
            readonly estimateId?: string;
            /** @description As it was sent. */
            readonly customerRef?: string;
            readonly failure?: components["schemas"]["Failure"];
            /**
             * Format: date-time
             * @description When the offset was accepted: when Kafka stored the request or when the request was recorded, whichever is earlier.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When its record last changed.
             */
            readonly updatedAt: string;
            /**
             * Format: date-time
             * @description When the credits were retired.
             */
            readonly completedAt?: string;
            /**
             * Format: date-time
             * @description When it failed.
             */
            readonly failedAt?: string;
        };
        readonly Retirement: {
            /** @description The id of the asset. */
            readonly asset: string;
            /** @description The ticker of the asset, if it has one. */
            readonly ticker?: string;
            /** @description The address of the asset's token, if it has one. */
            readonly address?: string;
            /** @description The asset's vintages, as last published: the years in which the removal or avoidance took place. */
            readonly vintages?: readonly number[];
            /** @description Credits, that is tonnes of CO2-equivalent, to the gram. */
            readonly credits: number;
            /** @description US dollars per credit. */
            readonly price: number;
            /** @description US dollars for these credits. */
            readonly cost: number;
        };
        readonly Failure: {
            /**
             * @description The reason, for programs; new codes may be added.
             * @example insufficient_supply
             * @example estimate_not_found
             * @example estimate_expired
             * @example estimate_mismatch
             * @example estimate_used
             * @example registry_refused
             * @example request_rejected
             */
            readonly code: string;
            /** @description The reason, as a sentence for people. */
            readonly detail: string;
        };
        readonly QueuedOffset: {
            /** @description The id, as in the message on creation. */
            readonly id: string;
            /** @constant */
            readonly status: "queued";
            /**
             * Format: date-time
             * @deprecated
             * @description No longer sent: only the record has it.
             */
            readonly createdAt?: string;
        };
        /** @description Invalid cursor. */
        readonly InvalidCursorProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/invalid_cursor";
            /** @example Invalid cursor */
            readonly title: string;
            /** @constant */
            readonly status: 400;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly code: "invalid_cursor";
        };
        /** @description Not found. */
        readonly NotFoundProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/not_found";
            /** @example Not found */
            readonly title: string;
            /** @constant */
            readonly status: 404;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not.
             * @constant
             */
            readonly code: "not_found";
        };
        readonly Estimate: {
            /** @description The value for `estimateId` of an offset. */
            readonly id: string;
            /** @description The weight in kilograms of CO2-equivalent, as it was sent. */
            readonly kgCO2e: number;
            /** @description Tonnes of CO2-equivalent: `kgCO2e` / 1000, rounded up to the gram. */
            readonly credits: number;
            /** @description The total in US dollars. */
            readonly cost: number;
            /**
             * @description The currency of every price and cost.
             * @constant
             */
            readonly currency: "USD";
            /** @description The credits of each asset that would be retired. */
            readonly allocations: readonly components["schemas"]["Retirement"][];
            /** Format: date-time */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When the price expires.
             */
            readonly expiresAt: string;
            /** @description The id of the offset that uses the estimate: `processing` or `completed`. No other offset can use the estimate then. */
            readonly usedBy?: string;
        };
        /** @description Not enough credits are available. */
        readonly InsufficientSupplyProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/insufficient_supply";
            /** @example Not enough credits are available */
            readonly title: string;
            /** @constant */
            readonly status: 409;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not.
             * @constant
             */
            readonly code: "insufficient_supply";
        };
        readonly Receipt: {
            /** @description The id of the offset. */
            readonly offset: string;
            /**
             * @description The status of the offset. A `failed` one never has entries; a `queued` or `processing` one has none yet.
             * @enum {string}
             */
            readonly status: "queued" | "processing" | "completed" | "failed";
            /** @description One for each asset; none until the offset is completed. */
            readonly entries: readonly components["schemas"]["ReceiptEntry"][];
        };
        readonly ReceiptEntry: {
            /** @description The id of the asset. */
            readonly asset: string;
            /** @description The asset's vintages, as last published: the years in which the removal or avoidance took place. */
            readonly vintages?: readonly number[];
            /** @description The number of the entry in the asset's ledger, from 1. */
            readonly sequence: number;
            /** @description Credits, that is tonnes of CO2-equivalent, to the gram. */
            readonly credits: number;
            /** @description US dollars per credit. */
            readonly price: number;
            /**
             * Format: date-time
             * @description When the credits were retired.
             */
            readonly at: string;
            /** @description The hash of the entry before it in the asset's ledger. */
            readonly previousHash: string;
            /** @description SHA-256 over the entry and `previousHash`. */
            readonly hash: string;
            /** @description The reference of the external registry, if one is used. */
            readonly reference?: string;
        };
        readonly Pool: {
            /** @description Id of the asset, pool_… or proj_…. */
            readonly id?: string;
            /** @description Short symbol. */
            readonly ticker?: string;
            /** @description Token address, 0x and hexadecimal digits. */
            readonly address?: string;
            /** @description Where the asset comes from, an upper-case word. */
            readonly source?: string;
            /** @description Display name. */
            readonly name?: string;
            /** @description Free text. */
            readonly description?: string;
            /** @description Rating, 0 to 5 in the library that comes with the service. */
            readonly rating?: number;
            /** @description US dollars per credit. */
            readonly price?: number;
            /** @description Credits (tonnes) put into the library so far. */
            readonly issued?: number;
            /** @description Whether credits may be retired from it. */
            readonly active?: boolean;
            /** @description Chain of the address. */
            readonly chain?: string;
            /** @description Registry's name. */
            readonly registry?: string;
            /** @description Id in that registry. */
            readonly registryId?: string;
            /** @description Kinds of project. */
            readonly categories?: readonly string[];
            /** @description Methodologies of the registry. */
            readonly methodologies?: readonly string[];
            /** @description Years in which the removal or avoidance took place. */
            readonly vintages?: readonly number[];
            /** @description Sustainable Development Goals, 1 to 17. */
            readonly sdgs?: readonly number[];
            /**
             * Format: date-time
             * @description When the asset entered the library.
             */
            readonly listedAt?: string;
        };
        /** @description Invalid criteria. */
        readonly InvalidCriteriaProblem: {
            /**
             * @description The page that explains it.
             * @constant
             */
            readonly type: "/problems/invalid_criteria";
            /** @example Invalid criteria */
            readonly title: string;
            /** @constant */
            readonly status: 400;
            /** @description What to do about it, for people. */
            readonly detail: string;
            /** @description The id of the request, as in `X-Request-Id`. */
            readonly instance: string;
            /**
             * @description For programs: codes are stable, sentences are not. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly code: "invalid_criteria";
            /** @description Every error, at most 10. */
            readonly errors: readonly components["schemas"]["CriteriaMistake"][];
            /** @description The part of the criteria with the first error, and a caret under it. */
            readonly snippet: string;
        };
        readonly CriteriaMistake: {
            /** @constant */
            readonly field: "criteria";
            /**
             * @description The kind of error; `/problems/<code>` explains it.
             * @enum {string}
             */
            readonly code: "unexpected_character" | "unterminated_string" | "invalid_escape" | "unexpected_end" | "unexpected_token" | "unbalanced_paren" | "empty_group" | "missing_operator" | "missing_value" | "reserved_word" | "ambiguous_or" | "unsupported_syntax" | "unknown_field" | "operator_not_allowed" | "invalid_value" | "pattern_not_allowed" | "pattern_too_broad" | "empty_range" | "too_long" | "too_deep" | "too_many_clauses" | "too_many_patterns" | "value_too_long";
            /** @description What is wrong and how to fix it, for people. */
            readonly detail: string;
            /** @description Where it begins, in UTF-16 code units of the decoded parameter, from 0. */
            readonly position: number;
            /** @description How long it is; 0 where something is missing. */
            readonly length: number;
            /** @description The name or value that was probably intended. */
            readonly suggestion?: string;
            /** @description The fix, in words. */
            readonly hint?: string;
            /** @description The tokens that are allowed here. */
            readonly expected?: readonly string[];
            /** @description The type of the values of the field. */
            readonly expectedType?: string;
            /** @description The accepted names or values. */
            readonly allowed?: readonly string[];
            /** @description The change that removes the error: replace `length` UTF-16 code units from `position` of the criteria with `text`. */
            readonly rewrite?: {
                readonly position: number;
                readonly length: number;
                readonly text: string;
            };
        };
        readonly Project: {
            /** @description Id of the asset, pool_… or proj_…. */
            readonly id?: string;
            /** @description Short symbol. */
            readonly ticker?: string;
            /** @description Token address, 0x and hexadecimal digits. */
            readonly address?: string;
            /** @description Where the asset comes from, an upper-case word. */
            readonly source?: string;
            /** @description Display name. */
            readonly name?: string;
            /** @description Free text. */
            readonly description?: string;
            /** @description Rating, 0 to 5 in the library that comes with the service. */
            readonly rating?: number;
            /** @description US dollars per credit. */
            readonly price?: number;
            /** @description Credits (tonnes) put into the library so far. */
            readonly issued?: number;
            /** @description Whether credits may be retired from it. */
            readonly active?: boolean;
            /** @description Chain of the address. */
            readonly chain?: string;
            /** @description Registry's name. */
            readonly registry?: string;
            /** @description Id in that registry. */
            readonly registryId?: string;
            /** @description Country of the project. */
            readonly country?: string;
            /** @description Region of the project. */
            readonly region?: string;
            /** @description Kinds of project. */
            readonly categories?: readonly string[];
            /** @description Methodologies of the registry. */
            readonly methodologies?: readonly string[];
            /** @description Years in which the removal or avoidance took place. */
            readonly vintages?: readonly number[];
            /** @description Sustainable Development Goals, 1 to 17. */
            readonly sdgs?: readonly number[];
            /**
             * Format: date-time
             * @description When the asset entered the library.
             */
            readonly listedAt?: string;
        };
        readonly LibrarySchema: {
            readonly pools: components["schemas"]["KindSchema"];
            readonly projects: components["schemas"]["KindSchema"];
        };
        readonly KindSchema: {
            /** @description The number of assets. */
            readonly total: number;
            /**
             * Format: date-time
             * @description When the newest asset was indexed; without assets, when the index was created.
             */
            readonly indexedAt: string;
            readonly fields: readonly components["schemas"]["FieldSchema"][];
        };
        readonly FieldSchema: {
            readonly name: string;
            /**
             * @description The type of the values in criteria.
             * @enum {string}
             */
            readonly type: "keyword" | "text" | "number" | "integer" | "date" | "boolean" | "address";
            /** @description Whether an asset can have several values. */
            readonly multi: boolean;
            /** @description The operators that criteria may use with this field. */
            readonly operators: readonly string[];
            readonly description: string;
            /** @description The most common values, by count, then by value. Only for keyword, boolean and integer fields, except `id` and `registryId`. */
            readonly values?: readonly {
                readonly value: string | number | boolean;
                /** @description The number of assets with this value. */
                readonly count: number;
            }[];
            /** @description The minimum. Only for numbers and dates; absent if no asset has the field. */
            readonly min?: number | string;
            /** @description The maximum. Only for numbers and dates; absent if no asset has the field. */
            readonly max?: number | string;
        };
        readonly SearchHints: {
            /** @description The number of assets that the search finds. */
            readonly total: number;
            /** @description The conditions joined with `and`, and the full text; the first 20. */
            readonly clauses: readonly components["schemas"]["ClauseHint"][];
        };
        readonly ClauseHint: {
            /** @enum {string} */
            readonly parameter: "criteria" | "fullTextSearch";
            /** @description The clause as a value of that parameter. */
            readonly text: string;
            /** @description The number of assets that match this clause alone. */
            readonly total: number;
            /** @description For a clause that matches nothing: values similar to the values it names. Only for keyword fields. */
            readonly values?: readonly components["schemas"]["NearValues"][];
        };
        readonly NearValues: {
            /** @description The field of the clause. */
            readonly field: string;
            /** @description The value of the clause, which no asset has. */
            readonly value: string;
            /** @description Similar values that assets have, the likeliest first; none if no value is similar. */
            readonly near: readonly string[];
        };
        readonly Facets: {
            /** @description The number of assets that the search finds. */
            readonly total: number;
            /** @description One for each field, in the order of the field list. */
            readonly facets: readonly components["schemas"]["Facet"][];
        };
        readonly Facet: {
            readonly field: string;
            /** @description The values, the most frequent first; those of integer fields in ascending order. */
            readonly values?: readonly components["schemas"]["FacetValue"][];
            /** @description Intervals of numbers or dates, without empty ones. */
            readonly ranges?: readonly components["schemas"]["FacetRange"][];
            /** @description Whether there are more values than listed. */
            readonly hasMore?: boolean;
            /** @description The assets without the field, if any. */
            readonly missing?: {
                /** @description The number of assets that the search then finds. */
                readonly count: number;
                /** @description The criteria for these assets: `(<criteria>) and <clause>` finds exactly as many. */
                readonly clause: string;
            };
        };
        readonly FacetValue: {
            readonly value: string | number | boolean;
            /** @description The number of assets that the search then finds. */
            readonly count: number;
            /** @description The criteria for these assets: `(<criteria>) and <clause>` finds exactly as many. */
            readonly clause: string;
        };
        readonly FacetRange: {
            /** @description Absent: no lower bound. */
            readonly from?: number | string;
            /** @description Absent: no upper bound. */
            readonly to?: number | string;
            /** @description The number of assets that the search then finds. */
            readonly count: number;
            /** @description The criteria for these assets: `(<criteria>) and <clause>` finds exactly as many. */
            readonly clause: string;
        };
        readonly Completions: {
            /** @description Values first, the most frequent first; then `and` and `or`, fields, operators and other keywords. */
            readonly completions: readonly components["schemas"]["Completion"][];
        };
        readonly Completion: {
            /** @description The text to put in the place of the characters from `from` to `to`. */
            readonly insert: string;
            /** @enum {string} */
            readonly kind: "field" | "operator" | "keyword" | "value";
            /** @description Where the replaced text begins, in UTF-16 code units. */
            readonly from: number;
            /** @description Where it ends: the caret. */
            readonly to: number;
            /** @description For a value: the number of assets with it. */
            readonly count?: number;
        };
    };
    responses: {
        /** @description `unauthorized`: Missing or invalid API key. */
        readonly Unauthorized: {
            headers: {
                readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["UnauthorizedProblem"];
            };
        };
        /** @description `forbidden`: The API key lacks the required scope. */
        readonly Forbidden: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["ForbiddenProblem"];
            };
        };
        /** @description `method_not_allowed`: Method not allowed. */
        readonly MethodNotAllowed: {
            headers: {
                readonly Allow: components["headers"]["Allow"];
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["MethodNotAllowedProblem"];
            };
        };
        /** @description `not_acceptable`: Not acceptable. */
        readonly NotAcceptable: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["NotAcceptableProblem"];
            };
        };
        /** @description `request_timeout`: Request timeout. */
        readonly RequestTimeout: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["RequestTimeoutProblem"];
            };
        };
        /** @description `payload_too_large`: Request body too large. */
        readonly PayloadTooLarge: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["PayloadTooLargeProblem"];
            };
        };
        /** @description `uri_too_long`: URL too long. */
        readonly UriTooLong: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["UriTooLongProblem"];
            };
        };
        /** @description `unsupported_media_type`: The body must be JSON. */
        readonly UnsupportedMediaType: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["UnsupportedMediaTypeProblem"];
            };
        };
        /** @description `idempotency_key_reused`: Idempotency key reused with a different request. */
        readonly IdempotencyKeyReused: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["IdempotencyKeyReusedProblem"];
            };
        };
        /** @description `rate_limited`: Too many requests. */
        readonly RateLimited: {
            headers: {
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["RateLimitedProblem"];
            };
        };
        /** @description `header_too_large`: Request headers too large. */
        readonly HeaderTooLarge: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["HeaderTooLargeProblem"];
            };
        };
        /** @description `internal_error`: Internal server error. */
        readonly InternalError: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["InternalErrorProblem"];
            };
        };
        /** @description `not_found`: Not found. */
        readonly NotFound: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["NotFoundProblem"];
            };
        };
        /** @description `service_unavailable`: Service temporarily unavailable. */
        readonly ServiceUnavailable: {
            headers: {
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["ServiceUnavailableProblem"];
            };
        };
        /** @description `insufficient_supply`: Not enough credits are available. */
        readonly InsufficientSupply: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["InsufficientSupplyProblem"];
            };
        };
        /** @description `internal_error`: Internal server error. */
        readonly InternalErrorWithoutKey: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["InternalErrorProblem"];
            };
        };
        /** @description `service_unavailable`: Service temporarily unavailable. */
        readonly ServiceUnavailableWithoutKey: {
            headers: {
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["ServiceUnavailableProblem"];
            };
        };
        /** @description `not_found`: Not found. */
        readonly NotFoundWithoutKey: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["NotFoundProblem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of the request: the one that was sent, if it is valid, else a new one. */
        readonly "X-Request-Id": string;
        /** @description Whether the response may be cached, and for how long. */
        readonly "Cache-Control": string;
        /** @description The URL of what was created. */
        readonly Location: string;
        /** @description The offset was accepted before, under the same key; nothing was created. */
        readonly "Idempotency-Replayed": "true";
        /** @description The next page (RFC 8288): `</v1/…?…>; rel="next"`. Absent on the last page. */
        readonly Link: string;
        /** @description The number of assets on all pages. */
        readonly "X-Total-Count": number;
        /** @description Where to read why the search finds nothing: `/v1/assets/hints?…`. Only if it finds nothing. */
        readonly "X-Search-Hints": string;
        /** @description The entity tag of the response in its content coding, to be sent as `If-None-Match`. */
        readonly ETag: string;
        /** @description How many seconds the response was cached. */
        readonly Age: number;
        /** @description The seconds to wait before trying again. */
        readonly "Retry-After": number;
        /**
         * @description The limit of the key's plan, if it has one (draft-ietf-httpapi-ratelimit-headers): its name, `q` requests at once, and as many again within `w` seconds.
         * @example "default";q=200;w=2
         */
        readonly "RateLimit-Policy": string;
        /**
         * @description The rest of that limit (draft-ietf-httpapi-ratelimit-headers): `r` requests may be sent at once, and in `t` seconds at least one more.
         * @example "default";r=57;t=1
         */
        readonly RateLimit: string;
        /** @description How to authenticate. */
        readonly "WWW-Authenticate": string;
        /** @description The methods of this URL. */
        readonly Allow: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly readOffsets: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of one offset. With it, the response is that offset, and no other parameter may be sent. */
                readonly id?: string;
                /** @description Only offsets with this status. */
                readonly status?: "queued" | "processing" | "completed" | "failed";
                /** @description Only offsets created with exactly this `customerRef`. */
                readonly customerRef?: string;
                /** @description Only offsets created with exactly this `estimateId`. */
                readonly estimateId?: string;
                /** @description Only offsets created at this time or later (RFC 3339). */
                readonly createdFrom?: string;
                /** @description Only offsets created before this time (RFC 3339), which must be later than `createdFrom`. */
                readonly createdTo?: string;
                /** @description The maximum number of entries on the page; default 20. */
                readonly limit?: number;
                /** @description The start of the page, from the `Link` header of the page before. A cursor belongs to one path, account and set of parameters (only `limit` may change) and does not expire. */
                readonly cursor?: string;
            };
            readonly header?: {
                /** @description An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and replaced by a new id. */
                readonly "X-Request-Id"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The offset, or a page of the list. */
            readonly 200: {
                headers: {
                    readonly Link: components["headers"]["Link"];
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Offset"] | components["schemas"]["QueuedOffset"] | readonly components["schemas"]["Offset"][];
                };
            };
            /** @description `invalid_request`: Invalid request. `invalid_cursor`: Invalid cursor. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["InvalidRequestProblem"] | components["schemas"]["InvalidCursorProblem"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 406: components["responses"]["NotAcceptable"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 414: components["responses"]["UriTooLong"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 431: components["responses"]["HeaderTooLarge"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly createOffset: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Identifies one request. The same key gives the same offset however often it is sent, so a request whose response was lost can be sent again. */
                readonly "Idempotency-Key"?: string;
                /** @description An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and replaced by a new id. */
                readonly "X-Request-Id"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewOffset"];
            };
        };
        readonly responses: {
            /** @description Queued for processing. */
            readonly 202: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AcceptedOffset"];
                };
            };
            /** @description `invalid_request`: Invalid request. `invalid_json`: The body is not valid JSON. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["InvalidRequestProblem"] | components["schemas"]["InvalidJsonProblem"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 406: components["responses"]["NotAcceptable"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 414: components["responses"]["UriTooLong"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 431: components["responses"]["HeaderTooLarge"];
            readonly 500: components["responses"]["InternalError"];
            /** @description `not_accepted`: The offset was not accepted. `outcome_unknown`: It is unknown whether the offset was accepted. `service_unavailable`: Service temporarily unavailable. */
            readonly 503: {
                headers: {
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["NotAcceptedProblem"] | components["schemas"]["OutcomeUnknownProblem"] | components["schemas"]["ServiceUnavailableProblem"];
                };
            };
        };
    };
    readonly getEstimate: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description The id of the estimate.
                 * @example est_01m7zvbfgqp8maf2d0aywgp39y
                 */
                readonly id: string;
            };
            readonly header?: {
                /** @description An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and replaced by a new id. */
                readonly "X-Request-Id"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The estimate. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Estimate"];
                };
            };
            /** @description `invalid_request`: Invalid request. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["InvalidRequestProblem"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 406: components["responses"]["NotAcceptable"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 414: components["responses"]["UriTooLong"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 431: components["responses"]["HeaderTooLarge"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly createEstimate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and replaced by a new id. */
                readonly "X-Request-Id"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewEstimate"];
            };
        };
        readonly responses: {
            /** @description The price, and when it expires. */
            readonly 201: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Estimate"];
                };
            };
            /** @description `invalid_request`: Invalid request. `invalid_json`: The body is not valid JSON. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["InvalidRequestProblem"] | components["schemas"]["InvalidJsonProblem"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 406: components["responses"]["NotAcceptable"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 409: components["responses"]["InsufficientSupply"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 414: components["responses"]["UriTooLong"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 431: components["responses"]["HeaderTooLarge"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly getRetirements: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description The id of the offset.
                 * @example off_89t0dkkrevy5cfdqvb6rk9w000
                 */
                readonly offset: string;
            };
            readonly header?: {
                /** @description An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and replaced by a new id. */
                readonly "X-Request-Id"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The receipt. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Receipt"];
                };
            };
            /** @description `invalid_request`: Invalid request. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["InvalidRequestProblem"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 406: components["responses"]["NotAcceptable"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 414: components["responses"]["UriTooLong"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 431: components["responses"]["HeaderTooLarge"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly searchPools: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description Comparisons of fields that the assets must match (`source: TOUCAN and rating >= 4`); empty for all. `GET /v1/assets/schema` lists the fields, their operators and the most common values.
                 * @example source: TOUCAN and rating >= 2
                 */
                readonly criteria: string;
                /**
                 * @description Words that must all occur in ticker, name, description, source, registry, registryId, country, region or categories (inflections, synonyms of project types and small typos match too), and `"phrases"` in quotes; empty for all. It has no operators.
                 * @example
                 */
                readonly fullTextSearch: string;
                /** @description Fields to sort by, the most important first, a `-` before one for descending: id, ticker, source, name, rating, price, issued, listedAt, registry. Assets without the field come last. Default: by relevance with full text, else by `-rating`; ties by name, then id. */
                readonly sort?: string;
                /** @description The fields of each asset in the response, or `*` for all: id, ticker, address, source, name, description, rating, price, issued, active, chain, registry, registryId, categories, methodologies, vintages, sdgs, listedAt. Default: ticker, address, source, description, rating, name. */
                readonly fields?: string;
                /** @description The maximum number of entries on the page; default 25. */
                readonly limit?: number;
                /** @description The start of the page, from the `Link` header of the page before. A cursor belongs to one path, account and set of parameters (only `limit` may change) and does not expire. */
                readonly cursor?: string;
            };
            readonly header?: {
                /** @description The `ETag` of a response that the client has: 304 if it has not changed. */
                readonly "If-None-Match"?: string;
                /** @description An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and replaced by a new id. */
                readonly "X-Request-Id"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of pools. */
            readonly 200: {
                headers: {
                    readonly "X-Total-Count": components["headers"]["X-Total-Count"];
                    readonly "X-Search-Hints": components["headers"]["X-Search-Hints"];
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly Age: components["headers"]["Age"];
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Pool"][];
                };
            };
            /** @description The response that `If-None-Match` names has not changed. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly Age: components["headers"]["Age"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: Invalid request. `invalid_criteria`: Invalid criteria. `invalid_cursor`: Invalid cursor. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["InvalidRequestProblem"] | components["schemas"]["InvalidCriteriaProblem"] | components["schemas"]["InvalidCursorProblem"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 406: components["responses"]["NotAcceptable"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 414: components["responses"]["UriTooLong"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 431: components["responses"]["HeaderTooLarge"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly searchProjects: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description Comparisons of fields that the assets must match (`source: TOUCAN and rating >= 4`); empty for all. `GET /v1/assets/schema` lists the fields, their operators and the most common values.
                 * @example price <= 5 and vintages >= 2015
                 */
                readonly criteria: string;
                /**
                 * @description Words that must all occur in ticker, name, description, source, registry, registryId, country, region or categories (inflections, synonyms of project types and small typos match too), and `"phrases"` in quotes; empty for all. It has no operators.
                 * @example
                 */
                readonly fullTextSearch: string;
                /** @description Fields to sort by, the most important first, a `-` before one for descending: id, ticker, source, name, rating, price, issued, listedAt, country, region, registry. Assets without the field come last. Default: by relevance with full text, else by `-rating`; ties by name, then id. */
                readonly sort?: string;
                /** @description The fields of each asset in the response, or `*` for all: id, ticker, address, source, name, description, rating, price, issued, active, chain, registry, registryId, country, region, categories, methodologies, vintages, sdgs, listedAt. Default: ticker, address, source, description, rating, name. */
                readonly fields?: string;
                /** @description The maximum number of entries on the page; default 25. */
                readonly limit?: number;
                /** @description The start of the page, from the `Link` header of the page before. A cursor belongs to one path, account and set of parameters (only `limit` may change) and does not expire. */
                readonly cursor?: string;
            };
            readonly header?: {
                /** @description The `ETag` of a response that the client has: 304 if it has not changed. */
                readonly "If-None-Match"?: string;
                /** @description An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and replaced by a new id. */
                readonly "X-Request-Id"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of projects. */
            readonly 200: {
                headers: {
                    readonly "X-Total-Count": components["headers"]["X-Total-Count"];
                    readonly "X-Search-Hints": components["headers"]["X-Search-Hints"];
                    readonly Link: components["headers"]["Link"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly Age: components["headers"]["Age"];
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Project"][];
                };
            };
            /** @description The response that `If-None-Match` names has not changed. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly Age: components["headers"]["Age"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: Invalid request. `invalid_criteria`: Invalid criteria. `invalid_cursor`: Invalid cursor. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["InvalidRequestProblem"] | components["schemas"]["InvalidCriteriaProblem"] | components["schemas"]["InvalidCursorProblem"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 406: components["responses"]["NotAcceptable"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 414: components["responses"]["UriTooLong"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 431: components["responses"]["HeaderTooLarge"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly describeFields: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The `ETag` of a response that the client has: 304 if it has not changed. */
                readonly "If-None-Match"?: string;
                /** @description An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and replaced by a new id. */
                readonly "X-Request-Id"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The fields. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly Age: components["headers"]["Age"];
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LibrarySchema"];
                };
            };
            /** @description The response that `If-None-Match` names has not changed. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly Age: components["headers"]["Age"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: Invalid request. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["InvalidRequestProblem"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 406: components["responses"]["NotAcceptable"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 414: components["responses"]["UriTooLong"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 431: components["responses"]["HeaderTooLarge"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly explainSearch: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description What is searched.
                 * @example projects
                 */
                readonly kind: "pools" | "projects";
                /**
                 * @description Comparisons of fields that the assets must match (`source: TOUCAN and rating >= 4`); empty for all. `GET /v1/assets/schema` lists the fields, their operators and the most common values.
                 * @example country: Brasil and vintages >= 2015
                 */
                readonly criteria: string;
                /**
                 * @description Words that must all occur in ticker, name, description, source, registry, registryId, country, region or categories (inflections, synonyms of project types and small typos match too), and `"phrases"` in quotes; empty for all. It has no operators.
                 * @example
                 */
                readonly fullTextSearch: string;
            };
            readonly header?: {
                /** @description The `ETag` of a response that the client has: 304 if it has not changed. */
                readonly "If-None-Match"?: string;
                /** @description An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and replaced by a new id. */
                readonly "X-Request-Id"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The clauses. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly Age: components["headers"]["Age"];
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SearchHints"];
                };
            };
            /** @description The response that `If-None-Match` names has not changed. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly Age: components["headers"]["Age"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: Invalid request. `invalid_criteria`: Invalid criteria. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["InvalidRequestProblem"] | components["schemas"]["InvalidCriteriaProblem"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 406: components["responses"]["NotAcceptable"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 414: components["responses"]["UriTooLong"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 431: components["responses"]["HeaderTooLarge"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly countByField: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description What is searched.
                 * @example projects
                 */
                readonly kind: "pools" | "projects";
                /**
                 * @description Comparisons of fields that the assets must match (`source: TOUCAN and rating >= 4`); empty for all. `GET /v1/assets/schema` lists the fields, their operators and the most common values.
                 * @example country = Brazil
                 */
                readonly criteria: string;
                /**
                 * @description Words that must all occur in ticker, name, description, source, registry, registryId, country, region or categories (inflections, synonyms of project types and small typos match too), and `"phrases"` in quotes; empty for all. It has no operators.
                 * @example
                 */
                readonly fullTextSearch: string;
                /**
                 * @description The fields to count by: source, rating, price, issued, active, chain, registry, country, region, categories, methodologies, vintages, sdgs, listedAt. Default: all of the kind.
                 * @example registry
                 */
                readonly fields?: string;
            };
            readonly header?: {
                /** @description The `ETag` of a response that the client has: 304 if it has not changed. */
                readonly "If-None-Match"?: string;
                /** @description An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and replaced by a new id. */
                readonly "X-Request-Id"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The facets. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly Age: components["headers"]["Age"];
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Facets"];
                };
            };
            /** @description The response that `If-None-Match` names has not changed. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly Age: components["headers"]["Age"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: Invalid request. `invalid_criteria`: Invalid criteria. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["InvalidRequestProblem"] | components["schemas"]["InvalidCriteriaProblem"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 406: components["responses"]["NotAcceptable"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 414: components["responses"]["UriTooLong"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 431: components["responses"]["HeaderTooLarge"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly completeCriteria: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description What is searched.
                 * @example projects
                 */
                readonly kind: "pools" | "projects";
                /**
                 * @description Comparisons of fields that the assets must match (`source: TOUCAN and rating >= 4`); empty for all. `GET /v1/assets/schema` lists the fields, their operators and the most common values.
                 * @example country = Bra
                 */
                readonly criteria: string;
                /** @description The caret position in `criteria`, in UTF-16 code units, as JavaScript counts; its end by default. */
                readonly caret?: number;
            };
            readonly header?: {
                /** @description The `ETag` of a response that the client has: 304 if it has not changed. */
                readonly "If-None-Match"?: string;
                /** @description An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and replaced by a new id. */
                readonly "X-Request-Id"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The completions. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly Age: components["headers"]["Age"];
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Completions"];
                };
            };
            /** @description The response that `If-None-Match` names has not changed. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly Age: components["headers"]["Age"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: Invalid request. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["InvalidRequestProblem"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 406: components["responses"]["NotAcceptable"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 414: components["responses"]["UriTooLong"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 431: components["responses"]["HeaderTooLarge"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly isLive: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and replaced by a new id. */
                readonly "X-Request-Id"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The process is alive. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly state: "live";
                    };
                };
            };
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 414: components["responses"]["UriTooLong"];
            readonly 431: components["responses"]["HeaderTooLarge"];
            readonly 500: components["responses"]["InternalErrorWithoutKey"];
        };
    };
    readonly isReady: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and replaced by a new id. */
                readonly "X-Request-Id"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The gateway accepts requests. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly state: "ready";
                        /** @description Whether each dependency answers. Present only if the gateway has no management port. */
                        readonly dependencies?: {
                            readonly [key: string]: "up" | "down";
                        };
                    };
                };
            };
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 414: components["responses"]["UriTooLong"];
            readonly 431: components["responses"]["HeaderTooLarge"];
            readonly 500: components["responses"]["InternalErrorWithoutKey"];
            readonly 503: components["responses"]["ServiceUnavailableWithoutKey"];
        };
    };
    readonly getDescription: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The `ETag` of a response that the client has: 304 if it has not changed. */
                readonly "If-None-Match"?: string;
                /** @description An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and replaced by a new id. */
                readonly "X-Request-Id"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The OpenAPI 3.1 description of the API. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": Record<string, never>;
                };
            };
            /** @description The response that `If-None-Match` names has not changed. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 414: components["responses"]["UriTooLong"];
            readonly 431: components["responses"]["HeaderTooLarge"];
            readonly 500: components["responses"]["InternalErrorWithoutKey"];
        };
    };
    readonly listProblems: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The `ETag` of a response that the client has: 304 if it has not changed. */
                readonly "If-None-Match"?: string;
                /** @description An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and replaced by a new id. */
                readonly "X-Request-Id"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description An HTML page. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            /** @description The response that `If-None-Match` names has not changed. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 414: components["responses"]["UriTooLong"];
            readonly 431: components["responses"]["HeaderTooLarge"];
            readonly 500: components["responses"]["InternalErrorWithoutKey"];
        };
    };
    readonly explainProblem: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The `ETag` of a response that the client has: 304 if it has not changed. */
                readonly "If-None-Match"?: string;
                /** @description An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and replaced by a new id. */
                readonly "X-Request-Id"?: string;
            };
            readonly path: {
                /** @description The `code` of a problem or of one of its errors, such as invalid_request, invalid_json, invalid_criteria. */
                readonly code: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description An HTML page. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            /** @description The response that `If-None-Match` names has not changed. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 404: components["responses"]["NotFoundWithoutKey"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 414: components["responses"]["UriTooLong"];
            readonly 431: components["responses"]["HeaderTooLarge"];
            readonly 500: components["responses"]["InternalErrorWithoutKey"];
        };
    };
}
