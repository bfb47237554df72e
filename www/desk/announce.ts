// Messages of components that do not know the page that they are on.

type Teller = (text: string, how: { failed: boolean }) => void;

let teller: Teller = () => {};

/** Each page shows messages in its own way. */
export function tellBy(way: Teller): void {
  teller = way;
}

export const tell = (text: string): void => teller(text, { failed: false });
export const tellFailure = (text: string): void => teller(text, { failed: true });
