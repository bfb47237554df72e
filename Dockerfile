# The first stage is untested. The second was built and run; see docs/guides/going-live.md.
# Images are pinned by the digest of their index for all platforms; `docker buildx imagetools inspect IMAGE` prints the newest.
FROM rust:1.95-trixie@sha256:f49565f188ee00bc2a18dd418183f2c5f23ef7d6e691890517ed341a598f67c3 AS build
WORKDIR /source
COPY . .
# Adds the WebAssembly target, Node and the pinned tools, builds the widget and the pages, and puts them into the binary.
RUN cargo xtask build

FROM debian:trixie-slim@sha256:a29215f6a35e51e22adffa17f89e9d2ef06214e64a2bad10d765c46aea49f11f
RUN useradd --uid 10001 --create-home --home-dir /var/lib/checkout --skel /dev/null --shell /usr/sbin/nologin checkout
COPY --from=build /source/target/release/checkout /usr/local/bin/checkout
USER checkout
VOLUME /var/lib/checkout
ENV CHECKOUT_LISTEN=0.0.0.0:8080 \
    CHECKOUT_METRICS=0.0.0.0:9090 \
    CHECKOUT_DATABASE=sqlite:/var/lib/checkout/checkout.db \
    CHECKOUT_LOG_FORMAT=json
EXPOSE 8080 9090
STOPSIGNAL SIGTERM
ENTRYPOINT ["checkout"]
CMD ["serve"]
