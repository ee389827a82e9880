# The image: the packed package and what it needs, on a Node.js without a shell. `npm pack` makes the package first.

# The base images. `npm run pin-images` writes the digests that their tags have today; a release needs them.
ARG BUILD_IMAGE=node:24
ARG RUNTIME_IMAGE=gcr.io/distroless/nodejs24-debian13:nonroot

# On the machine that builds, whatever the image is for: npm installs for another processor too.
FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS build
ARG BUILD_IMAGE
ARG RUNTIME_IMAGE
ARG VERSION=unknown
ARG TARGETARCH=amd64
RUN case "${VERSION:-unknown} $BUILD_IMAGE $RUNTIME_IMAGE" in \
      "unknown "*) echo 'No release: the base images may be those that their tags have today.' ;; \
      *" "*@sha256:*" "*@sha256:*) ;; \
      *) echo 'A release needs base images that are pinned by digest: run npm run pin-images (docs/install.md).' >&2; exit 1 ;; \
    esac
WORKDIR /app
COPY stakewatch-*.tgz ./
# The package says which bytes the packages that it needs must have. npm refuses others, and leaves out those of a platform
# without a word.
RUN tar --extract --gzip --file stakewatch-*.tgz && \
    npm ci --prefix=package/dist/install --ignore-scripts --no-audit --no-fund \
      --os=linux --libc=glibc --cpu="$(echo "$TARGETARCH" | sed s/amd64/x64/)" && \
    ls -d package/dist/install/node_modules/@node-rs/bcrypt-linux-* && \
    mv package/dist/install/node_modules . && mv package node_modules/stakewatch

FROM ${RUNTIME_IMAGE}
WORKDIR /app
COPY --from=build /app/node_modules node_modules
ENV NODE_ENV=production
# What is free at the end of the heap of the C library goes back to the system at once: up to half of the memory that the
# process would hold otherwise.
ENV MALLOC_TRIM_THRESHOLD_=131072
# What is received from an upstream comes in parts of 64 KiB. With mappings of their own they leave no holes: a tenth of the memory
# with 20,000 validators. From 32 KiB on it would cost 11 % more CPU time of a start.
ENV MALLOC_MMAP_THRESHOLD_=65536
# With an arena for each thread, the C library keeps what each of them needed for the start: 3 % of the memory.
ENV MALLOC_ARENA_MAX=1
# As a number, so that Kubernetes can tell that it is not root.
USER 65532:65532
EXPOSE 19650
# STAKEWATCH_HEALTH_URL is what it asks of a daemon with TLS, a password, a prefix or another port.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/nodejs/bin/node", "node_modules/stakewatch/bin/healthcheck.cjs"]
# Until the program has loaded, SIGUSR1 would open the debugger. Young objects of the thread that serves may take 6 MiB instead
# of 48: a fifth to a third less memory with thousands of validators. What the heap has emptied goes back at once: an eighth less
# with 20,000.
ENTRYPOINT ["/nodejs/bin/node", "--disable-sigusr1", "--max-semi-space-size=2", "--decommit-pooled-pages", "node_modules/stakewatch/bin/stakewatch.cjs"]
CMD ["--config.file=/etc/stakewatch/stakewatch.yml"]
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="stakewatch" \
      org.opencontainers.image.description="Monitoring daemon and Prometheus exporter for validators and chains of the Avalanche family" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
