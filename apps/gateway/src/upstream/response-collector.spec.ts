import { ResponseCollector } from './response-collector.js';

it('rejects at the signal, although the request has no connection yet', async () => {
  const abort = new AbortController();
  const { response } = new ResponseCollector(abort.signal);
  abort.abort(new Error('the deadline has passed'));
  await expect(response).rejects.toThrow('the deadline has passed');
});
