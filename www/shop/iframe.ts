// A page around a plain iframe: docs/guides/embedding.md has the protocol.

export interface Message {
  type: string;
  protocol: string;
  version: number;
  instance: string;
  height?: number;
  status?: string;
  code?: string;
}

/** Says `hello` until the checkout in the frame answers, and hands over what it says from then on. */
export function greet(frame: HTMLIFrameElement, hear: (message: Message) => void): void {
  const { origin } = new URL(frame.src);
  const instance = crypto.getRandomValues(new Uint32Array(4)).join("-");
  const hello = { protocol: "crypto-checkout", version: 1, instance, type: "hello" };
  let greeting = 0;
  const start = (): void => {
    clearInterval(greeting);
    greeting = window.setInterval(() => frame.contentWindow?.postMessage(hello, origin), 250);
  };
  frame.addEventListener("load", start);
  start();
  addEventListener("message", ({ source, origin: from, data }: MessageEvent<Message | null>) => {
    if (source !== frame.contentWindow || from !== origin || data?.instance !== instance) return;
    clearInterval(greeting);
    hear(data);
  });
}
