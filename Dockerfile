# Two stages: the Swift image builds, a slim Debian runs. Names of base images can be replaced by build arguments.
ARG BUILD_IMAGE=swift:6.3-bookworm
ARG RUN_IMAGE=debian:bookworm-slim

FROM ${BUILD_IMAGE} AS build
# g++ brings the C++ library, which the Swift runtime needs when it is linked statically.
RUN apt-get update \
    && apt-get install -y --no-install-recommends libvips-dev libjpeg-dev libdeflate-dev libssl-dev \
        libcurl4-openssl-dev libsqlite3-dev libfribidi-dev libharfbuzz-dev pkg-config g++ \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift openapi.yaml ./
COPY Sources Sources
COPY Tests Tests
RUN --mount=type=cache,id=veduta-build,target=/source/.build \
    swift build -c release --static-swift-stdlib --product veduta \
    && install -D --strip .build/release/veduta /out/veduta

FROM ${RUN_IMAGE}
# The loaders of libvips that parse PDF, ImageMagick's formats, whole-slide images and JPEG XL are modules of their own:
# without the files, nobody can reach them.
RUN apt-get update \
    && apt-get install -y --no-install-recommends libvips42 libjpeg62-turbo libdeflate0 libssl3 libcurl4 \
        libsqlite3-0 libfribidi0 libharfbuzz0b fonts-noto-core fonts-wqy-microhei ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
        /usr/lib/*/vips-modules-*/vips-magick.so /usr/lib/*/vips-modules-*/vips-poppler.so \
        /usr/lib/*/vips-modules-*/vips-openslide.so /usr/lib/*/vips-modules-*/vips-jxl.so \
    && groupadd --gid 10001 veduta \
    && useradd --uid 10001 --gid 10001 --no-create-home --shell /usr/sbin/nologin veduta \
    && mkdir /library \
    && install -d -o veduta -g veduta -m 700 /cache /uploads
COPY --from=build /out/veduta /usr/local/bin/veduta
# A volume at /cache with VEDUTA_CACHE_DIR=/cache keeps pictures across restarts; without one, memory alone does.
ENV VEDUTA_LISTEN=0.0.0.0:8080 VEDUTA_LIBRARY=/library
USER 10001
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["veduta", "health"]
ENTRYPOINT ["veduta"]
CMD ["serve"]
