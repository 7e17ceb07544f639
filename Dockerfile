# Bellhop in a small image: built in one stage; the next has what runs, a user without rights, and nothing that needs to be written but /data and /tmp.
# Pinned by version and digest, that of the index of all platforms. To move on: docker buildx imagetools inspect node:VERSION-bookworm-slim says it as Digest.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
RUN npm run build

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Bellhop" \
      org.opencontainers.image.description="A bot for merge requests: a web hook comes in, the repository's own rules decide, API calls go out." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="docker.io/library/node:24.21.0-bookworm-slim"
# For merge queues. Git trusts the authorities that Node trusts: no ca-certificates.
RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*
WORKDIR /app
# The lock file stays beside node_modules: scanners read from it, and from dist/bundle/bellhop.cdx.json, what the image holds.
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev
COPY --from=build /app/dist dist
COPY bin bin
COPY rules rules
COPY scenarios scenarios
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production BELLHOP_HOST=0.0.0.0 BELLHOP_PORT=8080 BELLHOP_QUEUE_URL=embedded:/data/queue BELLHOP_RULES=/app/rules BELLHOP_WORK_DIR=/data/work
VOLUME /data
# By number, so that Kubernetes can see that it is not root.
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.BELLHOP_PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/bellhop.cjs"]
CMD ["serve"]
