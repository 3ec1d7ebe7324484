import type { FastifyRequest } from 'fastify';

/** Who calls. The account stands in every event, row and question from the edge on. */
export abstract class Accounts {
  /** The account a request is made for. */
  abstract of(request: FastifyRequest): string;
}
