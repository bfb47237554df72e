import { CheckoutApiError } from "@crypto-checkout/client";
import { MedusaError } from "@medusajs/framework/utils";

/** Medusa shows the message. */
export function notAllowed(message: string): MedusaError {
  return new MedusaError(MedusaError.Types.NOT_ALLOWED, message);
}

/** What the gateway refuses, in its words. Other errors may be gone at the next attempt. */
export async function refusals<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CheckoutApiError && error.status < 500) throw notAllowed(error.message);
    throw error;
  }
}
