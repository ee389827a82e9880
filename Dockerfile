# The image: the compiled program and its production dependencies on a Node.js without a shell.

FROM node:24 AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src src
RUN npm run build
RUN npm prune --omit=dev

FROM gcr.io/distroless/nodejs24-debian13:nonroot
WORKDIR /app
COPY LICENSE package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
ENV NODE_ENV=production
# As a number, so that Kubernetes can tell that it is not root.
USER 65532:65532
EXPOSE 19650
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/nodejs/bin/node", "--eval", "fetch('http://127.0.0.1:19650/-/healthy').then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["/nodejs/bin/node", "dist/main.js"]
CMD ["--config.file=/etc/stakewatch/stakewatch.yml"]
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="stakewatch" \
      org.opencontainers.image.description="Monitoring daemon and Prometheus exporter for validators and chains of the Avalanche family" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
