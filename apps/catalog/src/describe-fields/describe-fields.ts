import type { LibrarySchema } from '@carbon/contracts';
import { Injectable } from '@nestjs/common';
import { type Answer, answerOf } from '../answers/answer.js';
import { RecentAnswers } from '../answers/recent-answers.js';
import { kindSchema } from './kind-schema.js';
import { LibraryFigures } from './library-figures.js';

/** Room for the one answer there is, were every value in it as long as a value can be. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Tells what can be asked of the library, and what stands in it. */
@Injectable()
export class DescribeFields {
  private readonly answers = new RecentAnswers<Answer>(MOST_BYTES);

  constructor(private readonly figures: LibraryFigures) {}

  /** @param signal says that who asks has gone @throws TransientFault when the library cannot be asked now */
  run(signal: AbortSignal): Promise<Answer> {
    return this.answers.get('schema', (askedAt, abandoned) => this.ask(askedAt, abandoned), signal);
  }

  private async ask(askedAt: number, abandoned: AbortSignal): Promise<Answer> {
    const { POOL, PROJECT } = await this.figures.count(abandoned);
    const schema: LibrarySchema = {
      pools: kindSchema('POOL', POOL.figures, POOL.madeAt),
      projects: kindSchema('PROJECT', PROJECT.figures, PROJECT.madeAt),
    };
    return answerOf(askedAt, Buffer.from(JSON.stringify(schema)));
  }
}
