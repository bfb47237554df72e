// The fields of a form.
export type Values = Record<string, string>;
