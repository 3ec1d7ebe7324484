import { CarbonError, type ErrorFacts } from './carbon-error.js';

/** No whole answer came: no connection, or it broke. Whether the request was honoured is not known. */
export class NetworkError extends CarbonError<'network_failure'> {
  override readonly name = 'NetworkError';

  constructor(detail: string, facts?: ErrorFacts) {
    super('network_failure', detail, facts);
  }
}

/** No whole answer came in time. Whether the request was honoured is not known. */
export class TimedOutError extends CarbonError<'timed_out'> {
  override readonly name = 'TimedOutError';

  constructor(detail: string, facts?: ErrorFacts) {
    super('timed_out', detail, facts);
  }
}

/** An answer that this service does not give: from something in front of it, or from another service. */
export class UnexpectedAnswerError extends CarbonError<'unexpected_answer'> {
  override readonly name = 'UnexpectedAnswerError';

  constructor(detail: string, facts?: ErrorFacts) {
    super('unexpected_answer', detail, facts);
  }
}
