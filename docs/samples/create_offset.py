# Creates an offset and waits for its outcome. Needs Python 3.9; run: python create_offset.py 1234.5 order-1042
import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

GATEWAY = os.environ.get("GATEWAY_URL", "http://127.0.0.1:3000")
TIMEOUT_S = 10
TRIES = 6
OUTCOME_S = 60


def seconds(retry_after):
    """Returns the seconds of the header, 0 if it is a date or missing."""
    return float(retry_after) if retry_after and retry_after.isdecimal() else 0


def body_of(error):
    """Returns the JSON of the response, or the beginning of what a proxy sent instead."""
    text = ""
    try:
        text = error.read().decode(errors="replace")
        return json.loads(text)
    except (OSError, http.client.HTTPException, ValueError):
        return text[:200]


def send(path, body=None, key=None):
    """Returns the status and the JSON of the response. Tries again whatever is temporary, with the same key."""
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if key is not None:
        headers["Idempotency-Key"] = key
    if "API_KEY" in os.environ:
        headers["Authorization"] = f"Bearer {os.environ['API_KEY']}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(GATEWAY + path, data, headers)
    for tried in range(1, TRIES + 1):
        wait = random.uniform(0.5, 1) * min(8, 0.25 * 2**tried)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            is_temporary = error.code in (408, 429) or error.code >= 500
            if not is_temporary or tried == TRIES:
                return error.code, body_of(error)
            wait = max(wait, seconds(error.headers.get("Retry-After")))
        except (OSError, http.client.HTTPException, ValueError):
            # No response of the service: the offset may be accepted, so only the same key makes another try safe.
            if tried == TRIES:
                raise
        time.sleep(wait)


def main(kg, key):
    status, answer = send("/v1/offsets", {"kgCO2e": kg}, key)
    if status != 202:
        sys.exit(f"not accepted: {status} {json.dumps(answer)}")
    offset_id = next(word for word in answer["message"].split() if word.startswith("off_"))
    end, wait = time.monotonic() + OUTCOME_S, 0.1
    while time.monotonic() < end:
        status, offset = send("/v1/offsets?id=" + urllib.parse.quote(offset_id))
        if status != 200:
            sys.exit(f"{offset_id} is accepted, and cannot be read: {status} {json.dumps(offset)}")
        if offset["status"] == "completed":
            print(f"{offset_id} completed: {offset['creditsMatched']} credits for {offset['cost']} USD")
            return
        if offset["status"] == "failed":
            sys.exit(f"{offset_id} failed: {offset['failure']['code']}: {offset['failure']['detail']}")
        time.sleep(wait)
        wait = min(2, wait * 1.5)
    sys.exit(f"{offset_id} is accepted, and has no outcome yet; read it again later")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python create_offset.py <kg of CO2e> <idempotency key>")
    try:
        weight = float(sys.argv[1])
    except ValueError:
        sys.exit(f"{sys.argv[1]} is not a number of kilograms, such as 1234.5")
    main(weight, sys.argv[2])
