# The image of Tidegate: docs/container.md.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json tsconfig.json tsconfig.build.json ./
COPY tools tools
COPY src src
COPY adapters adapters
# Of the workspace only the parts that the build reads: the image has no conformance suite.
COPY conformance/package.json conformance/
COPY conformance/src conformance/src
COPY idl idl
COPY console console
COPY docs docs
COPY demo demo
COPY deploy deploy
# The build compiles these too (tsconfig.build.json), and the package leaves them out.
COPY test/harness test/harness
COPY test/fuzz test/fuzz
COPY README.md LICENSE NOTICE CHANGELOG.md ./
# The package that npm would publish, and below what it needs to run: no compiler and no tests get into the image.
RUN npm ci --no-audit --no-fund && npm pack --ignore-scripts --pack-destination /tmp \
  && mkdir /app && tar -xzf /tmp/tidegate-*.tgz -C /app --strip-components=1 \
  && cp package-lock.json /app/ && cd /app && npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && chmod 755 dist/src/cli/main.js
# A server that has run for some seconds leaves V8's code of its modules in dist/compiled, where the image's own server cannot write. Without it,
# each start compiles them again.
RUN timeout --preserve-status 10 node /app/dist/src/cli/main.js serve --host 127.0.0.1 --store native:/tmp/store || true

FROM node:24-bookworm-slim
COPY --from=build /app /app
# The folder belongs to the user of the server, so that a new volume does, too.
RUN mkdir /data && chown node:node /data && ln -s /app/dist/src/cli/main.js /usr/local/bin/tidegate
USER node
WORKDIR /data
ENV NODE_ENV=production TIDEGATE_HOST=0.0.0.0 TIDEGATE_STORE=native:/data/store
VOLUME /data
# REST, Thrift, native RPC and its port of a master, ZooKeeper, web
EXPOSE 8080 9090 16020 16000 2181 16010
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=6s --start-period=60s CMD ["tidegate", "health"]
ENTRYPOINT ["tidegate"]
CMD ["serve"]
