import { get, post } from "../api";
import type { Values } from "../values";
import { coinCodes } from "../currencies";
import type { Credentials, Rate } from "../model";
import { update } from "../store";

let latest = "";

/** Loads the rates of all coins in the currency `to`. */
export async function loadRates(from: string, to: string): Promise<void> {
  const query = new URLSearchParams({ from: coinCodes().join(","), to });
  latest = `${from} ${to}`;
  const rates = await get<Rate[]>(`/api/v1/rates?${query}`);
  if (latest === `${from} ${to}`) update({ rates: { from, to, rates } });
}

export async function setRate({ from = "", to = "", rate }: Values): Promise<string> {
  await post("/sandbox/rates", { from, to, rate });
  await loadRates(from, to);
  return `One ${from} now costs ${rate} ${to}`;
}

/** The terms of the sandbox's business. */
export async function setTerms({ followUps, ...texts }: Values): Promise<string> {
  await post("/sandbox/business", { ...texts, refundFollowUpDepositsForOneTimePayments: followUps === "true" });
  return "The terms apply from now on";
}

/** Sets the colour, unless it is empty, and the logo, if there is one. */
export async function setBrand(brandColor: string, logo: File | undefined): Promise<string> {
  const changes = { ...(brandColor && { brandColor }), ...(logo && { logo: await base64(logo) }) };
  if (Object.keys(changes).length === 0) return "Nothing to set: choose a colour or a logo";
  await post("/sandbox/business", changes);
  return "Open payments show the brand when they are loaded again";
}

export async function removeBrand(): Promise<string> {
  await post("/sandbox/business", { brandColor: "", logo: "" });
  return "The brand is removed";
}

async function base64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

export async function loadCredentials(): Promise<void> {
  update({ credentials: await get<Credentials>("/sandbox/credentials") });
}
