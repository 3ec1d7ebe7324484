import { loadConfig } from '@carbon/config';
import { z } from 'zod';
import { limitSetting } from './limit-setting.js';

const read = (text: string) => {
  return loadConfig(z.object({ LIMIT: limitSetting({ description: 'A limit.' }) }), { LIMIT: text }).LIMIT;
};

describe('a limit as a setting', () => {
  it('is a rate and a burst, or none', () => {
    expect([read('100/200'), read('0.1/5'), read('unlimited')]).toEqual([
      { perSecond: 100, burst: 200 },
      { perSecond: 0.1, burst: 5 },
      'unlimited',
    ]);
  });

  it.each(['100', '0/5', '0.0/5', '5/0', '-1/5', '1/2.5', '1e3/5', '10001/5', '1/1000001', 'off', '1/2/3', ' 1/2'])(
    'is not %j',
    (text) => expect(() => read(text)).toThrow('LIMIT must be <requests a second>/<requests at once>'),
  );
});
