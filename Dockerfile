# syntax=docker/dockerfile:1

# Node comes with the packages (decision 2), so that what runs here is what was tested. The base
# image only has to have npm to install them and, at the end, the C library that Node is built for. Both may be
# images of your own, with glibc 2.28 or later and apt: --build-arg (docs/operations.md, The image).
ARG NPM_IMAGE=node:26-trixie-slim
ARG BASE_IMAGE=debian:trixie-slim

FROM ${NPM_IMAGE} AS packages
RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1 \
    && apt-get clean && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci

FROM packages AS web
COPY . .
RUN node_modules/.bin/node node_modules/vite/bin/vite.js build

FROM packages AS runtime-packages
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev
# More than half of it is never read by the server, and need not be carried about (decision 2).
COPY scripts/slim-packages.ts ./scripts/
COPY server/platform/pdf/fonts.ts ./server/platform/pdf/
RUN apt-get update && apt-get install --yes --no-install-recommends binutils \
    && node_modules/.bin/node scripts/slim-packages.ts node_modules --image \
    && strip node_modules/node/bin/node

FROM ${BASE_IMAGE}
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data
RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1 \
    && apt-get clean && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
# The only user here besides root; its number is what the volume belongs to.
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin faktur \
    && install --directory --owner=10001 --group=10001 --mode=0700 /data
WORKDIR /app
COPY --from=runtime-packages /app/node_modules ./node_modules
COPY package.json ./
COPY domain ./domain
COPY server ./server
COPY scripts/operator.ts ./scripts/
COPY --from=web /app/dist/web ./dist/web
USER 10001:10001
VOLUME /data
EXPOSE 3000
# There is no curl in here, and need not be.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["/app/node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Without a shell or npm between: SIGTERM reaches the server, which drains and ends with 0.
ENTRYPOINT ["/app/node_modules/.bin/node"]
CMD ["server/main.ts"]
