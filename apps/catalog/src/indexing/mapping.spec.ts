import { ASSET_FIELDS, type AssetField, fieldsOf } from '@carbon/contracts';
import { indexBody } from './index-body.js';
import { FULL_TEXT_FIELDS, propertiesOf } from './mapping.js';
import { MAPPING_REVISION, mappingHash } from './revision.js';

/** The hash of every revision there has been. A changed mapping needs a new line, and MAPPING_REVISION raised to it. */
const HASHES: Readonly<Record<number, string>> = { 1: '324426a4', 2: '7e595b87', 3: '7b715a7d', 4: '363a9e21' };

describe('the mapping', () => {
  it('has exactly the fields that an asset of the type has, the words for full text, and the time of writing', () => {
    expect(Object.keys(propertiesOf('PROJECT'))).toEqual([...Object.keys(ASSET_FIELDS), 'fullText', 'indexedAt']);
    expect(fieldsOf('POOL')).not.toContain('country');
    expect(Object.keys(propertiesOf('POOL'))).toEqual([...fieldsOf('POOL'), 'fullText', 'indexedAt']);
  });

  it('refuses fields that it does not know', () => {
    expect(indexBody('POOL')).toMatchObject({ mappings: { dynamic: 'strict', _meta: { revision: MAPPING_REVISION } } });
  });

  it('folds keywords, and keeps them as they are beside', () => {
    expect(propertiesOf('POOL').registryId).toEqual({
      type: 'keyword',
      normalizer: 'folded',
      fields: { raw: { type: 'keyword' } },
    });
    expect(propertiesOf('POOL').address).toEqual({ type: 'keyword', normalizer: 'folded' });
  });

  it('keeps a name as words, as a whole and as words for full text', () => {
    expect(propertiesOf('POOL').name).toEqual({
      type: 'text',
      analyzer: 'words',
      fields: {
        exact: { type: 'keyword', normalizer: 'folded', ignore_above: 4096 },
        fullText: { type: 'text', analyzer: 'full_text', norms: false },
      },
      copy_to: 'fullText',
    });
  });

  it('keeps norms on the text that criteria name, for existence', () => {
    const texts = Object.entries<AssetField>(ASSET_FIELDS).filter(([, { type }]) => type === 'text');
    for (const [name] of texts) expect(propertiesOf('POOL')[name]).not.toHaveProperty('norms');
  });

  it('holds numbers as doubles, so that 4.3 is 4.3', () => {
    const { rating, price, vintages, active, listedAt } = propertiesOf('POOL');
    expect([rating, price]).toEqual([{ type: 'double' }, { type: 'double' }]);
    expect([vintages, active]).toEqual([{ type: 'integer' }, { type: 'boolean' }]);
    expect(listedAt).toEqual({ type: 'date', format: 'strict_date_optional_time' });
  });

  it.each(FULL_TEXT_FIELDS)('copies the words of %s to those that full text looks through', (field) => {
    expect(propertiesOf('PROJECT')[field]).toHaveProperty('copy_to', 'fullText');
  });

  it('remembers deletions for an hour and shows changes after a second', () => {
    expect(indexBody('POOL')).toMatchObject({ settings: { gc_deletes: '3600000ms', refresh_interval: '1s' } });
  });

  it('has a revision that was raised with its last change', () => {
    expect(HASHES[MAPPING_REVISION]).toBe(mappingHash());
    expect(Math.max(...Object.keys(HASHES).map(Number))).toBe(MAPPING_REVISION);
  });
});
