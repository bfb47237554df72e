# The first stage is untested. The second was built and run; see docs/guides/going-live.md.
FROM rust:1.95-trixie AS build
WORKDIR /source
COPY . .
# Adds the WebAssembly target, Node and the pinned tools, builds the widget and the pages, and puts them into the binary.
RUN cargo xtask build

FROM debian:trixie-slim
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
