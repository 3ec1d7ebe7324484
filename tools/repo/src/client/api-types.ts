import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';

const HEAD = '// Made by `npm run generate` from docs/openapi.json, with openapi-typescript.\n\n';

/** The types of every request and answer. @param document the description of the API, as JSON text */
export async function apiTypes(document: string): Promise<string> {
  const description: OpenAPI3 = JSON.parse(document);
  return HEAD + astToString(await openapiTypescript(description, { immutable: true }));
}
