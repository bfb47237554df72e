// What can become of a request.
import type { FieldError, Problem as ProblemBody } from "gateway-api";

/** The gateway did not answer. */
export class NoAnswer extends Error {}

/** The gateway refused the request, with every error of its fields. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: FieldError[];

  constructor(status: number, body: Partial<ProblemBody> | null) {
    const errors = body?.errors ?? [];
    const texts = errors.map(({ pointer, detail }) => (pointer ? `${pointer.slice(1)}: ${detail}` : detail));
    super(texts.join("; ") || (body?.detail ?? `The gateway answered ${status}.`));
    this.status = status;
    this.code = body?.code ?? "";
    this.errors = errors;
  }
}

export async function readBody(response: Response): Promise<unknown> {
  if (response.status === 204) return null;
  let body = null;
  try {
    body = await response.json();
  } catch (error) {
    if (response.ok) throw new NoAnswer(String(error));
  }
  if (!response.ok) throw new Problem(response.status, body);
  return body;
}
