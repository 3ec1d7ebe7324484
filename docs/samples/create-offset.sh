#!/bin/sh
# Creates an offset and waits for its outcome. Needs curl 7.71; run: sh create-offset.sh 1234.5 order-1042
set -eu
kg=${1:?usage: sh create-offset.sh <kg of CO2e> <idempotency key>}
key=${2:?usage: sh create-offset.sh <kg of CO2e> <idempotency key>}
gateway=${GATEWAY_URL:-http://127.0.0.1:3000}
body=$(mktemp)
trap 'rm -f "$body"' EXIT

# Prints the status, and leaves the body in $body. curl waits for Retry-After, else 1, 2, 4 … seconds; --retry-all-errors also
# repeats a request without a response, which only the same key makes safe.
call() {
  curl -sS -o "$body" -w '%{http_code}' --max-time 10 --retry 5 --retry-all-errors --retry-max-time 60 \
    ${API_KEY:+-H "Authorization: Bearer $API_KEY"} "$@"
}

status=$(call "$gateway/v1/offsets" -H "Idempotency-Key: $key" -H 'Content-Type: application/json' -d "{\"kgCO2e\": $kg}")
[ "$status" = 202 ] || { echo "not accepted: $status $(cat "$body")" >&2; exit 1; }
id=$(grep -o 'off_[0-9a-z]*' "$body")
for wait in 0.1 0.2 0.5 1 1 2 2 2 5 5 10 10 20; do
  status=$(call "$gateway/v1/offsets?id=$id")
  [ "$status" = 200 ] || { echo "$id is accepted, and cannot be read: $status $(cat "$body")" >&2; exit 1; }
  case $(cat "$body") in
    *'"status":"completed"'*) echo "$id completed: $(cat "$body")"; exit 0 ;;
    *'"status":"failed"'*) echo "$id failed: $(cat "$body")" >&2; exit 1 ;;
  esac
  sleep "$wait"
done
echo "$id is accepted, and has no outcome yet; read it again later" >&2
exit 1
