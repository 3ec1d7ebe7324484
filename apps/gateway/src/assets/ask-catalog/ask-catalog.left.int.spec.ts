import { request } from 'node:http';
import { eventually } from '@carbon/testing';
import { startReader } from '../../test-gateway.js';
import { says, startUpstream } from '../../test-upstream.js';

const path = '/v1/assets/pools?criteria=&fullTextSearch=';

describe('a search whose client has left', () => {
  it('is given up, which says nothing against the catalog', async () => {
    let [asked, givenUp, slow] = [0, 0, true];
    const catalog = await startUpstream((question, response) => {
      asked += 1;
      response.on('close', () => {
        if (!response.writableFinished) givenUp += 1;
      });
      if (!slow) says(200, 'application/json', '[]')(question, response);
    });
    const gateway = await startReader({ CATALOG_URL: catalog.url });
    try {
      // Long before its time is over, and more often than the catalog may fail before it is thought to be away.
      for (let times = 1; times <= 8; times += 1) {
        const question = request(gateway.url + path, { agent: false });
        question.on('error', () => {}).end();
        await eventually(() => expect(asked).toBe(times));
        question.destroy();
        await eventually(() => expect(givenUp).toBe(times), { within: 8_000 });
      }
      slow = false;
      expect((await gateway.ask({ path })).status).toBe(200);
    } finally {
      await gateway.close();
      await catalog.close();
    }
  });
});
