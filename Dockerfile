# The Swift image builds, a slim Debian runs, and between them a list is made of what is in it. Without build arguments the base
# images are those of today; `scripts/image` fills in names with digests, as a release must.
ARG BUILD_IMAGE=swift:6.3-bookworm
ARG RUN_IMAGE=debian:bookworm-slim

# libheif and libvips without what nobody can reach here: three quarters of what Debian's own bring.
FROM ${RUN_IMAGE} AS libraries
# Lines of apt for the sources, as a mirror has them; without it those of Debian.
ARG SOURCES
COPY scripts/libraries /source/scripts/libraries
RUN apt-get update && VEDUTA_SOURCES="$SOURCES" /source/scripts/libraries /out && rm -rf /var/lib/apt/lists/*

FROM ${BUILD_IMAGE} AS build
# g++ brings the C++ library, which the Swift runtime needs when it is linked statically.
RUN apt-get update \
    && apt-get install -y --no-install-recommends libvips-dev libjpeg-dev libdeflate-dev libssl-dev \
        libcurl4-openssl-dev libsqlite3-dev libhiredis-dev libfribidi-dev libharfbuzz-dev pkg-config g++ \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift openapi.yaml ./
COPY Sources Sources
COPY Tests Tests
RUN --mount=type=cache,id=veduta-build,target=/source/.build \
    swift build -c release --static-swift-stdlib --product veduta \
    && install -D --strip .build/release/veduta /out/veduta \
    && install -D -m 644 /usr/share/swift/LICENSE.txt /out/licences/swift.txt \
    && for package in .build/checkouts/*; do \
        install -m 644 "$package/LICENSE.txt" "/out/licences/$(basename "$package").txt" || exit 1; done \
    && swift --version 2>/dev/null | sed -n 's/.*Swift version \([^ ]*\).*/\1/p' >/out/swift-version

FROM ${RUN_IMAGE} AS run
# scripts/image-size reads what is installed here. No program is run with the rights of its owner.
RUN --mount=type=bind,from=libraries,source=/out,target=/libraries \
    --mount=type=bind,source=scripts/lib/unneeded-fonts,target=/unneeded-fonts \
    apt-get update \
    && apt-get install -y --no-install-recommends /libraries/*.deb libjpeg62-turbo libdeflate0 libssl3 libcurl4 \
        libsqlite3-0 libhiredis0.14 libfribidi0 libharfbuzz0b fonts-noto-core fonts-wqy-microhei ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && sh /unneeded-fonts /usr/share/fonts/truetype/noto | xargs rm \
    && find / -xdev -type f -perm /6000 -exec chmod a-s {} + \
    && groupadd --gid 10001 veduta \
    && useradd --uid 10001 --gid 10001 --no-create-home --shell /usr/sbin/nologin veduta \
    && mkdir /library \
    && install -d -o veduta -g veduta -m 700 /cache /uploads
COPY --from=build /out/veduta /usr/local/bin/veduta

# Python is here alone, and not in what runs.
FROM run AS sbom
RUN cp /var/lib/dpkg/status /status && apt-get update && apt-get install -y --no-install-recommends python3
WORKDIR /source
COPY Package.swift LICENSE ./
COPY scripts/sbom scripts/sbom
COPY --from=build /source/Package.resolved ./
COPY --from=build /out /out
RUN scripts/sbom /usr/local/bin/veduta /sbom --status /status --licences /out/licences \
        --swift "$(cat /out/swift-version)"

FROM run
ARG BUILD_IMAGE
ARG RUN_IMAGE
# Licences, and the list of all that is in the image (CycloneDX).
COPY --from=sbom /sbom /usr/share/doc/veduta
LABEL org.opencontainers.image.licenses="Apache-2.0" org.opencontainers.image.base.name="${RUN_IMAGE}" \
    veduta.build-image="${BUILD_IMAGE}"
# A volume at /cache with VEDUTA_CACHE_DIR=/cache keeps pictures across restarts; without one, memory alone does.
ENV VEDUTA_LISTEN=0.0.0.0:8080 VEDUTA_LIBRARY=/library
USER 10001
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["veduta", "health"]
ENTRYPOINT ["veduta"]
CMD ["serve"]
