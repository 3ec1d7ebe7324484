import { z } from 'zod';
import { setting } from '../setting.js';
import { urls } from './addresses.js';
import { readableFile } from './files.js';
import { text } from './values.js';

/** How a connection to OpenSearch is secured. */
export const openSearchSecuritySettings = {
  OPENSEARCH_USERNAME: text(/^[^\0:]{1,256}$/, 'a user name without a colon', {
    description: 'The user at OpenSearch, instead of one in OPENSEARCH_URL.',
    example: 'carbon',
  }).optional(),
  OPENSEARCH_PASSWORD: setting(z.string().max(4096, { error: 'must have at most 4096 characters' }), {
    description: 'The password of that user.',
    secret: true,
  }).optional(),
  OPENSEARCH_CA_FILE: readableFile({
    description:
      'The certificates (PEM) of the authorities that sign OpenSearch’s certificates, for https. Not set: those that Node trusts.',
    example: '/etc/opensearch/ca.pem',
  }).optional(),
  OPENSEARCH_CERT_FILE: readableFile({
    description: 'The client certificate (PEM), where OpenSearch asks for one.',
    example: '/etc/opensearch/client.pem',
  }).optional(),
  OPENSEARCH_KEY_FILE: readableFile({
    description: 'The private key (PEM, not encrypted) of the client certificate.',
    example: '/etc/opensearch/client.key',
  }).optional(),
};

/** How OpenSearch is reached. */
export const openSearchSettings = {
  OPENSEARCH_URL: urls(['http', 'https'], {
    description:
      'Where OpenSearch answers; several nodes of one cluster separated by commas, which are asked in turn. https:// for TLS: certificate and host name are verified.',
    fallback: 'http://127.0.0.1:29200',
    secret: true,
  }),
  ...openSearchSecuritySettings,
};

/** The settings of OpenSearch as read. */
export type OpenSearchConfig = Readonly<z.output<z.ZodObject<typeof openSearchSettings>>>;
