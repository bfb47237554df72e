const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** JSON with line breaks, or `null` for other texts. `JSON.stringify` would round its numbers. */
export function indented(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  let out = "";
  let depth = 0;
  const newLine = () => `\n${"  ".repeat(depth)}`;
  for (const token of text.match(TOKEN) ?? []) {
    if (token === "{" || token === "[") {
      depth += 1;
      out += token + newLine();
    } else if (token === "}" || token === "]") {
      depth -= 1;
      const isEmpty = out.trimEnd().endsWith(token === "}" ? "{" : "[");
      out = isEmpty ? out.trimEnd() + token : out + newLine() + token;
    } else if (token === ",") {
      out += token + newLine();
    } else {
      out += token === ":" ? ": " : token;
    }
  }
  return out;
}
