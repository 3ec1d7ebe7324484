import type { MessageContent } from '@carbon/messaging';

/** What a person has mended about one message. */
export interface Repairs {
  readonly value?: Buffer | undefined;
  readonly key?: string | undefined;
  /** The schema's name, for the header `ce_type`. */
  readonly type?: string | undefined;
}

/** The message with what was mended in place of what was not; everything else stays, byte for byte. */
export function repaired(message: MessageContent, { value, key, type }: Repairs): MessageContent {
  return {
    key: key === undefined ? message.key : Buffer.from(key),
    value: value ?? message.value,
    headers: {
      ...message.headers,
      ...(type !== undefined && { ce_type: type }),
      ...(key !== undefined && { ce_subject: key }),
    },
  };
}

/** Whether anything was mended at all. */
export function isRepaired({ value, key, type }: Repairs): boolean {
  return value !== undefined || key !== undefined || type !== undefined;
}
