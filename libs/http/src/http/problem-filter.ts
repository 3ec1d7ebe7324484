import { type ArgumentsHost, Catch, type ExceptionFilter, type INestApplication } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { HttpAdapter } from './http-adapter.js';

/** Nest's exception filter for everything a controller, guard or pipe throws. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly adapter: HttpAdapter) {}

  catch(error: unknown, host: ArgumentsHost): void {
    this.adapter.answer(error, host.switchToHttp().getResponse<FastifyReply>());
  }
}

/** Makes every error of an app's controllers a problem document; the framework's own are the adapter's business. */
export function installProblems(app: INestApplication): void {
  const adapter = app.getHttpAdapter();
  if (!(adapter instanceof HttpAdapter)) throw new Error('Create the app on createHttpAdapter().');
  app.useGlobalFilters(new ProblemFilter(adapter));
}
