import { resolve } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { ROOT } from './tracked-files.js';

const DOCUMENT = 'docs/openapi.json';

/**
 * Checks the description of the API against every rule that Redocly recommends, with warnings as errors, and a few more. No
 * rule is disabled: findings are fixed in the source of the document.
 */
const RULES = {
  extends: ['recommended-strict'],
  rules: {
    'no-ambiguous-paths': 'error',
    'no-duplicated-tag-names': 'error',
    'no-unused-components': 'error',
    'operation-operationId': 'error',
    'operation-operationId-unique': 'error',
    'operation-singular-tag': 'error',
    'parameter-description': 'error',
    'tag-description': 'error',
  },
} as const;

const config = await createConfig({ extends: [...RULES.extends], rules: RULES.rules });
const findings = await lint({ ref: resolve(ROOT, DOCUMENT), config });
for (const { ruleId, message, location } of findings) {
  console.error(`${DOCUMENT}${location[0]?.pointer ?? ''} ${message} (${ruleId})`);
}
if (findings.length > 0) process.exitCode = 1;
else console.error(`${DOCUMENT}: in order`);
