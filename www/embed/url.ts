/** An http or https URL; others, such as `javascript:`, are refused. */
export function parseUrl(text: string | null | undefined, base?: string): URL | undefined {
  try {
    const url = new URL(text ?? "", base);
    return /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** The URL of the checkout, with the element's theme and locale in place of its own. */
export function pageUrl(paymentUrl: string, theme: string | null, locale: string | null): URL | undefined {
  const url = parseUrl(paymentUrl, document.baseURI);
  if (theme) url?.searchParams.set("theme", theme.toUpperCase());
  if (locale) url?.searchParams.set("locale", locale);
  return url;
}

/** The redirect URL after the payment: https, or http if the gateway itself uses http. */
export function redirectTarget(redirectUrl: string | undefined, gateway: URL): string | undefined {
  const target = parseUrl(redirectUrl);
  const isSafe = target && (target.protocol === "https:" || gateway.protocol === "http:");
  return isSafe ? target.href : undefined;
}

/** Leaves the merchant's page. */
export function redirect(url: string): void {
  try {
    window.top!.location.href = url;
  } catch {
    window.location.href = url; // the top window belongs to another site
  }
}
