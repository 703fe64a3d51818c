"""HTTP responses with JSON."""

from __future__ import annotations

import json

from starlette.responses import Response


def as_json(value: object, status: int = 200) -> Response:
    return Response(json.dumps(value, separators=(",", ":")), status, media_type="application/json")


def refusal(status: int, text: str) -> Response:
    return as_json({"error": text}, status)
