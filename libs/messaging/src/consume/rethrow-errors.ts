import { Catch, type ExceptionFilter } from '@nestjs/common';
import { type Observable, throwError } from 'rxjs';

/**
 * Lets errors of Kafka handlers reach the pipeline as they are. Nest's default filter for messages would put "Internal
 * server error" in their place, and an outage could not be told from a bad message.
 */
@Catch()
export class RethrowErrors implements ExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}
