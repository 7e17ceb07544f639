# Bellhop in a small image: built in one stage, run by an unprivileged user in the next.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY bin bin
COPY src src
COPY tsconfig.json tsconfig.build.json ./
RUN npm run build && npm prune --omit=dev

FROM node:22-bookworm-slim
# git with http-backend, for `bellhop sandbox`; the bot itself does not need it.
RUN apt-get update && apt-get install -y --no-install-recommends git ca-certificates && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production BELLHOP_HOST=0.0.0.0 BELLHOP_QUEUE_URL=embedded:/data/queue BELLHOP_RULES=/app/rules
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY bin bin
COPY rules rules
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/bellhop.cjs"]
CMD ["serve"]
