import type { About } from "../about";

/** The order or the withdrawal that a callback is about. */
export const AboutLink = ({ about }: { about: About | undefined }) =>
  about ? (
    <a class="wrap" href={about.href}>
      {about.order}
    </a>
  ) : (
    <>–</>
  );
