// What is printed on a terminal: text from outside cannot steer it.

/** Without control characters, on one line. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, ' ')
}

/** Prints one JSON document on standard output. */
export function printJson(value: unknown): void {
  // JSON leaves these as they are, and a terminal obeys them.
  const text = JSON.stringify(value, null, 2).replaceAll(/[\u007f-\u009f]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`)
  process.stdout.write(`${text}\n`)
}
