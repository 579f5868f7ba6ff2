FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
# npm leaves what development needs as well out of a bill of materials that omits it, so here nothing is for development.
RUN npm pkg delete devDependencies && npm sbom --sbom-format=cyclonedx --sbom-type=application > sbom.json

FROM node:24-bookworm-slim
ENV NODE_ENV=production DATABASE_URL=file:/data PORT=3000
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY src src
COPY views views
COPY lti-config lti-config
# What is in the image: docker run --rm spaces-lti cat sbom.json
COPY --from=packages /app/sbom.json ./
# Compiled once here, where it may be written, so that a container starts in half the time; by the user it runs as, for Node keeps
# the compiled code of each user apart. Without variables the tool says what is missing and ends with 2; by then everything was loaded
# but ltijs, which the first login loads.
ENV NODE_COMPILE_CACHE=/app/compiled
RUN mkdir compiled && chown node:node compiled
USER node
RUN node src/main.ts; test $? -eq 2 && node -e "import('ltijs')" && test -n "$(ls compiled)"
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/main.ts"]
