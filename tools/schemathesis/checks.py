"""Own checks. Some valid requests are refused for reasons that no JSON Schema can express. `accepts_what_is_described` lists
them by operation and error code; every other refusal fails as `positive_data_acceptance` does, which it replaces."""

import json

import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance

SEARCHES = {"GET /v1/assets/pools", "GET /v1/assets/projects"}

# The criteria have a grammar of their own; a cursor is signed for one query; an idempotency key identifies one request.
# Where the description lacks the code, `response_schema_conformance` fails.
CODES = {"invalid_criteria", "invalid_cursor", "idempotency_key_reused"}


def is_beyond_schema(operation, response):
    """Whether the description cannot express why the request was refused."""
    if response.status_code not in (400, 422):
        return False
    problem = json.loads(response.content)
    if problem.get("code") in CODES:
        return True
    errors = problem.get("errors", [])
    return bool(errors) and all(is_error_beyond_schema(operation, error) for error in errors)


def is_error_beyond_schema(operation, error):
    field, code, detail = error.get("field"), error.get("code"), error.get("detail", "")
    if operation == "GET /v1/offsets":
        # `id` excludes the other parameters, and a time range ends after it begins.
        return code == "invalid_parameter" and detail == "cannot be sent together with id" or field == "createdTo"
    if operation in SEARCHES:
        return field in ("sort", "fields") and detail.endswith("name each field once")
    # The asset does not exist or is not for sale.
    return operation == "POST /v1/estimates" and field == "asset" and detail.startswith("is not an asset that credits")


@schemathesis.check
def accepts_what_is_described(ctx, response, case):
    if is_beyond_schema(case.operation.label, response):
        return None
    return positive_data_acceptance(ctx, response, case)


# Every response has these headers; the description does not repeat them.
COMMON_HEADERS = set(
    "connection content-length content-security-policy content-type cross-origin-resource-policy date keep-alive "
    "referrer-policy transfer-encoding x-content-type-options".split()
)


@schemathesis.check
def headers_are_described(ctx, response, case):
    """A response has no header that its description lacks."""
    answer = case.operation.definition.raw["responses"].get(str(response.status_code))
    if answer is None:
        return
    described = {name.lower() for name in resolve(answer, case.operation.schema.raw_schema).get("headers", {})}
    others = {name.lower() for name in response.headers} - described - COMMON_HEADERS
    assert not others, f"{response.status_code} has headers that are not described: {', '.join(sorted(others))}"


def resolve(part, document):
    """Follows the reference of a part of the document."""
    if "$ref" not in part:
        return part
    for name in part["$ref"].removeprefix("#/").split("/"):
        document = document[name]
    return document
