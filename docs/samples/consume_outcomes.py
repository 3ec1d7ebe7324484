# Prints the outcome of each offset once. Needs Python 3.9 and `pip install confluent-kafka`; run: python consume_outcomes.py
import json
import os
import signal
import sys

from confluent_kafka import Consumer, KafkaException

PREFIX = os.environ.get("TOPIC_PREFIX", "")
TOPICS = [PREFIX + topic for topic in ("offset.completed", "offset.failed")]

# A database would have these ids as a primary key, written in the transaction of the work.
processed = set()
running = True


def stop(*_):
    global running
    running = False


def handle(message):
    headers = dict(message.headers() or [])
    event_type, event_id = ((headers.get(name) or b"").decode(errors="replace") for name in ("ce_type", "ce_id"))
    # Types and members that this program does not know are not errors.
    if event_type not in ("offset.completed.v1", "offset.failed.v1"):
        return
    if not event_id or event_id in processed:
        return
    try:
        event = json.loads(message.value() or b"")
        if not isinstance(event, dict):
            raise ValueError
    except ValueError:
        # It will not become valid by a retry, and must not block what comes after it.
        place = f"{message.topic()} {message.partition()}:{message.offset()}"
        print(f"skipped: {place} is not a JSON object", file=sys.stderr)
        return
    # Weights are whole grams as text: int() reads them exactly.
    if event_type == "offset.completed.v1":
        print(f"{event['id']} completed {int(event['grams'])} grams", flush=True)
    else:
        print(f"{event['id']} failed {event['code']}", flush=True)
    processed.add(event_id)


signal.signal(signal.SIGTERM, stop)
signal.signal(signal.SIGINT, stop)
consumer = Consumer(
    {
        "bootstrap.servers": os.environ.get("KAFKA_BROKERS", "127.0.0.1:29092"),
        "group.id": os.environ.get("GROUP_ID", "my-service"),
        # For a group without a position: all that the topics still have, not only what comes from now on.
        "auto.offset.reset": "earliest",
        "enable.auto.commit": False,
    }
)
consumer.subscribe(TOPICS)
try:
    while running:
        message = consumer.poll(0.5)
        if message is None:
            continue
        if message.error():
            raise KafkaException(message.error())
        handle(message)
        # After the work, never before.
        consumer.commit(message, asynchronous=False)
finally:
    consumer.close()
