"""A bare Flask route with the service's hooks that returns as many bytes: what Flask and gunicorn alone cost."""

import os

from flask import Flask, Response

from service.app import create_app, security_headers
from tests.benchmarks.questions import PAIR_ADDRESS


def create_bare() -> Flask:
    body = create_app().test_client().get(PAIR_ADDRESS).data
    app = Flask("bare")
    app.before_request(lambda: None)
    app.after_request(security_headers)
    headers = {"ETag": '"0123456789abcdef01234567"', "Vary": "Accept", "Cache-Control": "no-cache"}

    @app.get("/v1/compare")
    def bare() -> Response:
        return Response(body, content_type="application/json", headers=headers)

    return app


if os.environ.get("BARE") == "1":
    application = create_bare()
