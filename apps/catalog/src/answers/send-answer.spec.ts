import fastify from 'fastify';
import { answerOf } from './answer.js';
import { sendAnswer } from './send-answer.js';

/** The head of an answer that was asked for so long ago. */
async function headOf(agoMs: number) {
  const app = fastify();
  app.get('/', (request, reply) => {
    sendAnswer(request, reply, answerOf(performance.now() - agoMs, Buffer.from('[]')));
    return reply;
  });
  return (await app.inject('/')).headers;
}

describe('an answer that is sent', () => {
  it('says its age when it was kept for about a second, so that nobody keeps it for another', async () => {
    expect(await headOf(900)).toMatchObject({ age: '1', 'cache-control': 'private, max-age=1' });
  });

  it('says none when it is new', async () => {
    expect(await headOf(0)).not.toHaveProperty('age');
  });
});
