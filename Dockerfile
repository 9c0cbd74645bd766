# Builds the site in a container: docker build -t commonplace . && docker run -v /srv/commonplace:/data commonplace
#
# The state and the site stay in /data between runs: a folder that the user 1000 may write to. Options of `npm run build` come
# after the image's name, and settings by `-e` or `--env-file`. This file was checked by reading only: it has not been run.
FROM node:26.10.0-bookworm-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
# The program writes to /data alone, so that `docker run --read-only` works.
RUN mkdir /data && chown node:node /data && ln -s /data/state/cache/types .astro
USER node
ENV STATE_DIR=/data/state ASTRO_TELEMETRY_DISABLED=1
VOLUME /data
ENTRYPOINT ["node", "scripts/commonplace.mjs", "build", "--out", "/data/site"]
