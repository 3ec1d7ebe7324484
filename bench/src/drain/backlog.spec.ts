import { offsetRequestedV1 } from '@carbon/contracts';
import { backlogOf } from './backlog.js';

const { messages, grams, count } = backlogOf(500);
const requests = messages.map(({ value }) => offsetRequestedV1.parse(JSON.parse(String(value))));

describe('the backlog that is drained', () => {
  it('is sound requests, each under an id of its own, as the gateway puts them on the topic', () => {
    expect(requests).toHaveLength(count);
    expect(new Set(requests.map(({ id }) => id)).size).toBe(count);
    expect(messages.map(({ key }) => key)).toEqual(requests.map(({ id }) => id));
    expect(messages[0]?.headers).toMatchObject({
      ce_type: 'offset.requested.v1',
      ce_subject: requests[0]?.id,
      traceparent: expect.stringMatching(/^00-0{31}1-/),
    });
  });

  it('knows how many grams it asks for', () => {
    expect(grams).toBe(requests.reduce((sum, request) => sum + BigInt(request.grams), 0n));
  });
});
