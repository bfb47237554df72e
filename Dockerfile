# `docker build .` compiles in the first stage; `cargo xtask release image` makes the second one of a release's binaries.
# The first stage was not run in a container yet; its command was, on Debian.
# The image is pinned by the digest of its index for all platforms;
# `docker buildx imagetools inspect IMAGE` prints the newest.
FROM rust:1.95-trixie@sha256:f49565f188ee00bc2a18dd418183f2c5f23ef7d6e691890517ed341a598f67c3 AS build
WORKDIR /source
COPY . .
# Adds the Rust targets, Node, musl and the pinned tools, builds the widget and the pages, and puts them into one static binary.
RUN cargo xtask release binary --target "$(uname -m)-unknown-linux-musl" \
    && mkdir /data && mv target/*-unknown-linux-musl/release/checkout /checkout

# Nothing but the binary: certificates, pages and migrations are in it.
FROM scratch
COPY --from=build /checkout /usr/local/bin/checkout
COPY --from=build --chown=10001:10001 /data /var/lib/checkout
USER 10001:10001
WORKDIR /var/lib/checkout
VOLUME /var/lib/checkout
ENV CHECKOUT_LISTEN=0.0.0.0:8080 \
    CHECKOUT_METRICS=0.0.0.0:9090 \
    CHECKOUT_DATABASE=sqlite:/var/lib/checkout/checkout.db \
    CHECKOUT_LOG_FORMAT=json
EXPOSE 8080 9090
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/checkout"]
CMD ["serve"]
