import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Described } from './operation-at.js';

const ID = 'api:';

/** The schemas of a document, to hold values against. */
export class Schemas {
  // OpenAPI has words around its schemas that JSON Schema does not know.
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly checks = new Map<string, ValidateFunction>();

  constructor(document: Described) {
    addFormats.default(this.ajv);
    this.ajv.addSchema(document, ID);
  }

  /** What is wrong with a value. @param pointer where its schema stands */
  faultsAt(pointer: string, value: unknown): string[] {
    const check = this.checks.get(pointer) ?? this.ajv.compile({ $ref: `${ID}#${encodeURI(pointer)}` });
    this.checks.set(pointer, check);
    if (check(value) === true) return [];
    return (check.errors ?? []).map(({ instancePath, message, params }) => {
      return `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`;
    });
  }

  /** What is wrong with a problem document, by the schema of its code. */
  problemFaults(value: unknown): string[] {
    const code = typeof value === 'object' && value !== null && 'code' in value ? String(value.code) : '';
    const name = code.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
    return this.faultsAt(`/components/schemas/${name}Problem`, value);
  }
}
