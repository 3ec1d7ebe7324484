import { configuration, identitiesDocument } from './configuration.js';

const [first, second] = ['first', 'second'].map((name) => ({ name, key: `key-of-${name}` }));
const both = first && second ? [first, second] : [];
const known = { offset: 'off_1', estimate: 'est_1', asset: 'pool_1' };
const facts = { checksFile: '/checks.py', identitiesFile: '/a place/with "quotes"', known };

describe('the configuration of a run', () => {
  it('bounds redirects and times, and keeps nothing between runs', () => {
    const text = configuration({ ...facts, identities: [] });
    expect(text).toContain('max-redirects = 0\n');
    expect(text).toContain('database = "none"\n');
    expect(text).not.toContain('auth');
  });

  it('names things that are there where they can be named', () => {
    const text = configuration({ ...facts, identities: [] });
    expect(text).toContain('estimate = { values = ["est_1"] }\n');
    expect(text).toContain(
      'include-operation-id = "getEstimate"\nparameters = { "query.id" = { dictionary = "estimate", probability = 0.5 } }\n',
    );
  });

  it('calls as the first, and holds what is the first’s against the others', () => {
    const text = configuration({ ...facts, identities: both });
    expect(text).toContain('path = "/a place/with \\"quotes\\""\nuser = "first"\npeers = ["first","second"]\n');
    expect(configuration({ ...facts, identities: both.slice(0, 1) })).not.toContain('peers');
  });

  it('has the keys in a file of their own', () => {
    expect(configuration({ ...facts, identities: both })).not.toContain('key-of');
    expect(JSON.parse(identitiesDocument(both)).auth[1]).toEqual({
      name: 'second',
      fixedHeaders: [{ name: 'Authorization', value: 'Bearer key-of-second' }],
    });
  });
});
