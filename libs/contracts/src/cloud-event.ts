/**
 * CloudEvents 1.0, Kafka protocol binding, binary content mode: attributes in `ce_` headers, the data alone as the value
 * (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md).
 */
export interface CloudEventAttributes {
  /** Unique for the source: the offset id for a request, offset id + type for an outcome. */
  readonly id: string;
  readonly source: '/gateway' | '/offsets' | '/assets';
  /** The schema's name, such as `offset.requested.v1`. */
  readonly type: string;
  /** RFC 3339, UTC. */
  readonly time: string;
  /** The message key. */
  readonly subject: string;
  /** W3C trace context of whoever caused the event. */
  readonly traceparent?: string | undefined;
}

/** The Kafka headers of an event. */
export function cloudEventHeaders(event: CloudEventAttributes): Record<string, string> {
  return {
    ce_specversion: '1.0',
    ce_id: event.id,
    ce_source: event.source,
    ce_type: event.type,
    ce_time: event.time,
    ce_subject: event.subject,
    'content-type': 'application/json',
    ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
  };
}
