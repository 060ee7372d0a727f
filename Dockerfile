FROM python:3.11-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /build
RUN python -m venv /venv
COPY requirements.txt ./
RUN /venv/bin/pip install --require-hashes -r requirements.txt
COPY . ./
RUN /venv/bin/pip install --no-deps --no-build-isolation .

FROM python:3.11-slim
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin traincost
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 BIND=0.0.0.0 PORT=8000
WORKDIR /srv
USER 10001:10001
EXPOSE 8000
# http.client, not urllib.request: that would ask the proxy of HTTP_PROXY, where one is set.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["python", "-c", "import os, http.client; c = http.client.HTTPConnection('127.0.0.1', int(os.environ['PORT']), timeout=2); c.request('GET', '/healthz'); raise SystemExit(c.getresponse().status != 200)"]
CMD ["gunicorn", "-c", "python:service.gunicorn_conf", "service.app:create_app()"]
