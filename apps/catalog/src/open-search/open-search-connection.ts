import { readFileSync } from 'node:fs';
import { type ConnectionSettings, errorText, type OpenSearchConfig, tlsHint } from '@carbon/config';
import { type ClientOptions, errors } from '@opensearch-project/opensearch';

const SETTINGS: ConnectionSettings = {
  engine: 'OpenSearch',
  address: 'OPENSEARCH_URL',
  tlsOn: 'https:// in OPENSEARCH_URL',
  tlsOff: 'http:// in OPENSEARCH_URL',
  ca: 'OPENSEARCH_CA_FILE',
  certificate: 'OPENSEARCH_CERT_FILE with OPENSEARCH_KEY_FILE',
};

/** The client's options for the address and the security of OpenSearch. */
export function openSearchConnection(config: OpenSearchConfig): ClientOptions {
  const { OPENSEARCH_CA_FILE: ca, OPENSEARCH_CERT_FILE: cert, OPENSEARCH_KEY_FILE: key } = config;
  const { OPENSEARCH_USERNAME: username, OPENSEARCH_PASSWORD: password = '' } = config;
  return {
    nodes: config.OPENSEARCH_URL.split(','),
    ssl: {
      rejectUnauthorized: true,
      ...(ca && { ca: readFileSync(ca) }),
      ...(cert && { cert: readFileSync(cert) }),
      ...(key && { key: readFileSync(key) }),
    },
    ...(username !== undefined && { auth: { username, password } }),
  };
}

/** Returns the hosts for messages, without the password that may be in an address. */
export function openSearchHosts({ OPENSEARCH_URL }: Pick<OpenSearchConfig, 'OPENSEARCH_URL'>): string {
  return OPENSEARCH_URL.split(',')
    .map((url) => new URL(url).host)
    .join(', ');
}

/** Returns a hint for an error that is caused by the settings of the connection; else undefined. */
export function openSearchHint(error: unknown): string | undefined {
  if (statusOf(error) === 401)
    return 'OpenSearch refuses the user or the password: check OPENSEARCH_USERNAME and OPENSEARCH_PASSWORD.';
  // A block, as on full disks, is a 403 as well, and has nothing to do with the user.
  if (statusOf(error) === 403 && !errorText(error).includes('_block_exception'))
    return 'OpenSearch does not allow this user to do that: the user needs the permissions that docs/secure-connections.md lists.';
  return tlsHint(errorText(error), SETTINGS);
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof errors.ResponseError) return error.meta.statusCode ?? undefined;
  return error instanceof Error && error.cause !== undefined ? statusOf(error.cause) : undefined;
}
