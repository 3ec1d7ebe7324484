"""Checks of our own. `positive_data_acceptance` demands that what the description lets in is accepted, but some refusals follow
from what no JSON Schema can say. Each of them is named here, by operation and by the problem that it must be answered with;
any other refusal fails as it would without this file, in whose place the check below stands."""

import json

import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance

SEARCHES = {"GET /v1/assets/pools", "GET /v1/assets/projects"}
PAGED = SEARCHES | {"GET /v1/offsets"}

# The criteria are a language of their own; a cursor is signed for one question; a key stands for one wish.
CODES = {
    "invalid_criteria": SEARCHES,
    "invalid_cursor": PAGED,
    "idempotency_key_reused": {"POST /v1/offsets"},
}


def is_beyond_schema(operation, response):
    """Whether this is one of the refusals that the description cannot foresee."""
    if response.status_code not in (400, 422):
        return False
    problem = json.loads(response.content)
    if operation in CODES.get(problem.get("code"), ()):
        return True
    mistakes = problem.get("errors", [])
    return bool(mistakes) and all(is_mistake_beyond_schema(operation, mistake) for mistake in mistakes)


def is_mistake_beyond_schema(operation, mistake):
    field, code, detail = mistake.get("field"), mistake.get("code"), mistake.get("detail", "")
    if operation == "GET /v1/offsets":
        # `id` stands alone, and a time range has its end behind its beginning.
        return code == "invalid_parameter" and detail == "cannot be sent together with id" or field == "createdTo"
    if operation in SEARCHES:
        return field in ("sort", "fields") and detail.endswith("name each field once")
    # An asset that there is, and that is for sale.
    return operation == "POST /v1/estimates" and field == "asset" and detail.startswith("is not an asset that credits")


@schemathesis.check
def accepts_what_is_described(ctx, response, case):
    if is_beyond_schema(case.operation.label, response):
        return None
    return positive_data_acceptance(ctx, response, case)


# What HTTP and the security of browsers put on every answer; the description need not repeat it.
OF_EVERY_ANSWER = {
    "connection",
    "content-length",
    "content-security-policy",
    "content-type",
    "cross-origin-resource-policy",
    "date",
    "keep-alive",
    "referrer-policy",
    "transfer-encoding",
    "x-content-type-options",
}


@schemathesis.check
def headers_are_described(ctx, response, case):
    """No answer of a described status has a header that is not described."""
    answer = case.operation.definition.raw["responses"].get(str(response.status_code))
    if answer is None:
        return
    described = {name.lower() for name in resolved(answer, case.operation.schema.raw_schema).get("headers", {})}
    others = {name.lower() for name in response.headers} - described - OF_EVERY_ANSWER
    assert not others, f"{response.status_code} has headers that are not described: {', '.join(sorted(others))}"


def resolved(part, document):
    """What a part of the document says, or points to."""
    if "$ref" not in part:
        return part
    for name in part["$ref"].removeprefix("#/").split("/"):
        document = document[name]
    return document
